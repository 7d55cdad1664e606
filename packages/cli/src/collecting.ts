import { basename, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { collect, every, parseCollectFile, parseDuration, type QueryReport, type QueryState } from "@maturity/collect";
import { readText } from "@maturity/command-line/files";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { UsageError } from "@maturity/command-line/usage-error";
import { metricNamed } from "@maturity/report-files/metric-name";
import { createCheck } from "@maturity/report-files/submission-check";
import { connect } from "./connect.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { availableScorecards } from "./scoring.ts";
import { requireUrl } from "./settings.ts";
import { settingsOf } from "./settings-file.ts";
import { linesOfQuery, showRun, summaryOf } from "./show-collected.ts";
import { writeSummary } from "./summary.ts";

/**
 * Runs `maturity collect` for a file.
 *
 * @returns the gravest exit code of the queries; with `--every` always 0, after the process was asked to end
 * @throws UsageError, CollectFileError
 */
export async function runCollect(file: string, flags: Flags, context: Context, output: Output): Promise<ExitCode> {
  const { env, cwd, fetch, now } = context;
  const intervalMs = flags.every === undefined ? undefined : intervalOf(String(flags.every));
  const dryRun = flags.dryRun === true;
  if (dryRun && intervalMs !== undefined) throw new UsageError("--dry-run is for a single run, without --every");
  if (flags.json === true && intervalMs !== undefined) {
    throw new UsageError("--json is one document, and --every has no end: give --ndjson");
  }
  const settings = await settingsOf(flags, context);
  if (!dryRun) requireUrl(settings);
  const only = flags.only as readonly string[] | undefined;
  const text = await readText(resolve(cwd, file), file, maxFileBytes);
  const config = parseCollectFile(text, basename(file), { env, only, metricNamed });
  const client = dryRun ? undefined : await connect(settings, flags, context, output);

  const { progress: onProgress } = output;
  const check = dryRun && { check: await createCheck(await availableScorecards(settings, cwd)) };
  const run = (signal: AbortSignal) => collect(config, { client, ...check, fetch, now, signal, onProgress });
  if (intervalMs === undefined) {
    const reports = await run(new AbortController().signal);
    showRun(reports, output);
    const title = dryRun ? "nothing was sent" : "queries run";
    await writeSummary({ title, target: {}, scores: [], lines: reports.flatMap(linesOfQuery) }, flags, context, output);
    output.result({ ...(dryRun && { dry_run: true }), queries: reports.map(withExit) });
    return worst(reports, flags.softFail === true);
  }
  const runAndShow = async (signal: AbortSignal) => {
    const at = new Date(now()).toISOString();
    const reports = await run(signal);
    output.line(`${at} ${summaryOf(reports)}`);
    output.result({ at, queries: reports.map(withExit) });
  };
  const pause = (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, undefined, { signal });
  await every(intervalMs, runAndShow, { now, random: Math.random, sleep: pause }, stopped());
  return exitCodes.done;
}

/** Largest file of queries, in bytes: far more than queries need. */
const maxFileBytes = 262_144;

/** Longest interval, in milliseconds. A timer of Node cannot wait for more than 24 days. */
const longestMs = 14 * 86_400_000;

/** @throws UsageError for anything but a time from 1s to 14d */
function intervalOf(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds < 1_000 || milliseconds > longestMs) {
    throw new UsageError("--every must be a time from 1s to 14d, such as 5m or 1h30m");
  }
  return milliseconds;
}

const exitOf: Readonly<Record<QueryState, ExitCode>> = {
  done: exitCodes.done,
  faulty: exitCodes.wrongUse,
  refused: exitCodes.refused,
  unreachable: exitCodes.unreachable,
};

/** The report for `--json`. `exit` is the code with which the program would end if this were its only query. */
function withExit({ state, ...report }: QueryReport): object {
  return { ...report, exit: exitOf[state] };
}

/** @param isSoft whether an unreachable service counts only where nothing else is wrong: `--soft-fail` passes it */
function worst(reports: readonly QueryReport[], isSoft: boolean): ExitCode {
  const codes = reports.map(({ state }) => exitOf[state]);
  const rank = (code: ExitCode) => (isSoft && code === exitCodes.unreachable ? 1 : code);
  return codes.reduce((worst, code) => (rank(code) > rank(worst) ? code : worst), exitCodes.done);
}

/** A signal that aborts on SIGTERM and SIGINT. */
function stopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
