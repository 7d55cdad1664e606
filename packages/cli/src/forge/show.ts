import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Target } from "@maturity/core";
import { commentText } from "@maturity/run-summary/comment-text";
import type { Summary } from "@maturity/run-summary/summary";
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { timeoutMs } from "../connect.ts";
import type { Context } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import { failureText } from "../failure.ts";
import { readIfThere } from "../origin.ts";
import { requireTarget } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";

/** Adds the flags of a gate that say where its outcome is shown. */
export function addCommentFlags(command: Command): void {
  command
    .option(
      "--comment",
      "show the outcome on the pull or merge request, and as a status of the commit (GitHub, GitLab)",
    )
    .option("--comment-name <name>", "the name of the gate, where an application has several; default: gate");
}

/**
 * The name of the gate in its comment and status; undefined if none is wanted.
 *
 * @throws UsageError for a name that cannot stand there
 */
export function commentName({ comment, commentName: name = "gate" }: Flags): string | undefined {
  if (!/^[\w.-]{1,40}$/.test(String(name))) {
    throw new UsageError("--comment-name must be 1 to 40 letters, digits, dots, hyphens and underscores");
  }
  return comment === true ? String(name) : undefined;
}

/**
 * Shows the outcome of a gate on the pull request of this run, and as a status of its commit. Whatever goes wrong is a
 * warning, because the gate alone decides how the command ends.
 */
export async function showOnForge(
  summary: Summary & { readonly target: Target },
  gate: { readonly name: string; readonly isMet: boolean },
  flags: Flags,
  { env, fetch, now }: Context,
  output: Output,
): Promise<void> {
  const { target, title, lines = [], standing } = summary;
  const { verdicts = lines.map((text) => ({ text, met: false })) } = summary;
  const program = { env, fetch, now, read: readIfThere, userAgent: `maturity-cli/${packageJson.version}` };
  try {
    const { showOutcome } = await import("@maturity/forge/show-outcome");
    await showOutcome(
      {
        ...{ ...gate, target, title, verdicts, board: standing?.board },
        comment: (marker, origin) => commentText(marker, summary, origin),
      },
      program,
      timeoutMs(flags.timeout),
      output,
    );
  } catch (error) {
    output.warn(`no comment and no status: ${error instanceof Error ? error.message : String(error)}`);
  }
  output.done();
}

/**
 * Runs a command with a gate. Where it ends with an error, that is shown on the forge in place of the outcome of an earlier
 * run, unless it is unknown which application the gate is about.
 */
export async function showingFailure(
  flags: Flags,
  context: Context,
  output: Output,
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    const name = commentName(flags);
    if (name === undefined) throw error;
    const target = await settingsOf(flags, context)
      .then(requireTarget)
      .catch(() => undefined);
    if (!target) throw error;
    const summary = { title: "the run failed", target, scores: [], lines: [failureText(error)] };
    await showOnForge(summary, { name, isMet: false }, flags, context, output);
    throw error;
  }
}
