import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { openMetrics } from "./open-metrics.ts";
import { type Summary, summaryMarkdown } from "./summary.ts";

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

/** Is a summary wanted? */
export function wantsSummary({ summary, gitlab }: Flags, { env }: Pick<Context, "env">): boolean {
  return Boolean(summary ?? gitlab ?? env.GITHUB_STEP_SUMMARY);
}

/** Writes the summary to where it is wanted. A file that cannot be written is a warning, since the work is done. */
export async function writeSummary(
  summary: Summary,
  { summary: file, gitlab }: Flags,
  { env, cwd }: Pick<Context, "env" | "cwd">,
  output: Output,
): Promise<void> {
  const append = file ?? env.GITHUB_STEP_SUMMARY;
  const write = async (what: string, run: () => Promise<unknown>) => {
    try {
      await run();
    } catch (error) {
      output.warn(`${what} could not be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const markdown = summaryMarkdown(summary);
  if (typeof append === "string" && append !== "") {
    await write("the summary", () => appendFile(resolve(cwd, append), markdown));
  }
  if (typeof gitlab !== "string") return;
  const directory = resolve(cwd, gitlab);
  const files = {
    "summary.md": markdown,
    "metrics.txt": openMetrics(summary),
    "links.json": `${JSON.stringify(linksOf(summary), undefined, 2)}\n`,
  };
  await write("the report for GitLab", async () => {
    await mkdir(directory, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  });
}

/** Links as `artifacts:reports:annotations` of GitLab takes them. */
function linksOf({ standing }: Pick<Summary, "standing">): object {
  const url = standing?.board;
  return { Maturity: url ? [{ external_link: { label: "The application on the Board", url } }] : [] };
}
