import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import type { Summary } from "@maturity/run-summary/summary";
import type { Command } from "commander";
import type { Context } from "./context.ts";

/** Adds the flag of commands that write a summary for the page of a pipeline run. */
export function addSummaryFlag(command: Command): Command {
  return command.option(
    "--summary <file>",
    "append a summary in Markdown to this file; default: that of GitHub (GITHUB_STEP_SUMMARY)",
  );
}

/** The same for commands about scores, which GitLab compares. */
export function addSummaryFlags(command: Command): void {
  addSummaryFlag(command).option(
    "--gitlab <directory>",
    "write what GitLab shows of a job: summary.md, metrics.txt and links.json",
  );
}

/** Whether a summary is wanted. */
export function wantsSummary({ summary, gitlab }: Flags, { env }: Pick<Context, "env">): boolean {
  return Boolean(summary ?? gitlab ?? env.GITHUB_STEP_SUMMARY);
}

/** Writes the summary to where it is wanted. */
export async function writeSummary(
  summary: Summary,
  flags: Flags,
  { env, cwd }: Context,
  output: Output,
): Promise<void> {
  const file = flags.summary ?? env.GITHUB_STEP_SUMMARY;
  const places = { file: file as string | undefined, gitlab: flags.gitlab as string | undefined };
  if (!wantsSummary(flags, { env })) return;
  const { writeTo } = await import("@maturity/run-summary/write");
  await writeTo(places, summary, cwd, output);
}
