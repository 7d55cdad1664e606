import { basename, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseCollectFile } from "../collect/config.ts";
import { parseDuration } from "../collect/duration.ts";
import { collect as collectOnce, type QueryReport } from "../collect/run.ts";
import { every } from "../collect/schedule.ts";
import { showRun, summaryOf } from "../collect/show-run.ts";
import { addExamples, addServiceFlags, type CommandModule, collect as repeated } from "../command.ts";
import { connect } from "../connect.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { readText } from "../files.ts";
import { requireUrl, resolveSettings } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { UsageError } from "../usage-error.ts";

/** `maturity collect`: runs queries of Prometheus and PostgreSQL and sends what they give. */
export const collect: CommandModule = {
  define(command) {
    command
      .description(
        "Runs the queries of a file, PromQL and SQL, and sends each result as the score of a metric. A query that " +
          "fails does not stop the others. For cron, or with --every to go on by itself.",
      )
      .argument("<file>", "the queries, such as collect.yaml")
      .option("--only <query>", "of the queries only this one; may stand several times", repeated)
      .option("--every <time>", "run again and again, such as 5m; ends on SIGTERM")
      .option("-n, --dry-run", "run the queries, print what they give and send nothing");
    addServiceFlags(command);
    addExamples(command, [
      ["for cron", "maturity collect collect.yaml"],
      ["what a query would send", "maturity collect --dry-run --only availability collect.yaml"],
      ["as a process that goes on", "maturity collect --every 5m collect.yaml"],
    ]);
  },

  async run([file = ""], flags, context, output) {
    const { env, cwd, fetch, now } = context;
    const intervalMs = flags.every === undefined ? undefined : intervalOf(String(flags.every));
    const dryRun = flags.dryRun === true;
    if (dryRun && intervalMs !== undefined) throw new UsageError("--dry-run is for a single run, without --every");
    const settings = resolveSettings(flags, env, await findSettingsFile(cwd));
    if (!dryRun) requireUrl(settings);
    const only = flags.only as readonly string[] | undefined;
    const config = parseCollectFile(await readText(resolve(cwd, file), file, maxFileBytes), basename(file), {
      env,
      only,
    });
    const client = dryRun ? undefined : await connect(settings, flags, context, output);

    const { progress: onProgress } = output;
    const run = (signal: AbortSignal) => collectOnce(config, { client, fetch, now, signal, onProgress });
    if (intervalMs === undefined) {
      const reports = await run(new AbortController().signal);
      showRun(reports, output);
      output.result({ ...(dryRun && { dry_run: true }), queries: reports });
      return worst(reports);
    }
    const runAndTell = async (signal: AbortSignal) => {
      const at = new Date(now()).toISOString();
      const reports = await run(signal);
      output.line(`${at} ${summaryOf(reports)}`);
      output.result({ at, queries: reports });
    };
    const pause = (milliseconds: number, signal: AbortSignal) => sleep(milliseconds, undefined, { signal });
    await every(intervalMs, runAndTell, { now, random: Math.random, sleep: pause }, stopped());
    return exitCodes.done;
  },
};

/** Far more than queries take. */
const maxFileBytes = 262_144;

/** A timer takes no longer time than 24 days. */
const longestMs = 14 * 86_400_000;

/** @throws UsageError */
function intervalOf(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds < 1_000 || milliseconds > longestMs) {
    throw new UsageError("--every must be a time from 1s to 14d, such as 5m or 1h30m");
  }
  return milliseconds;
}

function worst(reports: readonly QueryReport[]): ExitCode {
  return Math.max(exitCodes.done, ...reports.map(({ exit }) => exit)) as ExitCode;
}

/** Aborts when the process is asked to end. */
function stopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
