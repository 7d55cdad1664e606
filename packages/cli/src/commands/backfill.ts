import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { checked } from "@maturity/backfill/check";
import type { PastResults } from "@maturity/backfill/past-result";
import { counted, planOf } from "@maturity/backfill/plan";
import { readPastReports } from "@maturity/backfill/read-past-reports";
import { readRows } from "@maturity/backfill/read-rows";
import { sendPast } from "@maturity/backfill/send-past";
import { showPlan } from "@maturity/backfill/show-plan";
import { isDirectory, readBytes } from "@maturity/command-line/files";
import { type Flags, valuesOf } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { UsageError } from "@maturity/command-line/usage-error";
import { askedOf } from "@maturity/report-files/asked";
import type { PathFault } from "@maturity/report-files/conclude";
import { timeFault } from "@maturity/report-files/measured";
import { metricNamed } from "@maturity/report-files/metric-name";
import { FilesError, faultText, NothingToSendError } from "@maturity/report-files/outcome";
import { showFiles } from "@maturity/report-files/show-files";
import {
  addExamples,
  addScorecardFlags,
  addServiceFlags,
  addTargetFlags,
  type CommandModule,
  collect,
} from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { assumeOption, formatsOption, requireFormats, severityOption } from "../report-formats.ts";
import { availableScorecards } from "../scoring.ts";
import { requireSentNames } from "../sent-names.ts";
import { knownTarget, requireTarget, requireUrl, type Settings } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";

/** Largest table, in bytes: a million rows and more. */
const maxTableBytes = 268_435_456;
/** At most so many faults are listed. */
const maxListed = 20;

/** `maturity backfill`: sends results of the past in the order of their times. */
export const backfill: CommandModule = {
  define(command) {
    command
      .description(
        "Sends results of the past, in the order in which they were measured: each report of a directory at the time that " +
          "it states, or each row of a table in CSV or NDJSON at its measured_at. They go into the history, and those " +
          "that are later than what is stored become current. To send one again changes nothing.",
      )
      .argument("<path>", "a directory of reports, or a table: a file, or - for standard input")
      .option("-m, --metric <[pattern=]name>", "what reports, or rows without a column metric, measure", collect)
      .option("--exclude <pattern>", "leave out these files of a directory; may stand several times", collect)
      .option("--since <time>", "only what was measured from this time on: where a call that broke off goes on")
      .option("--skip-invalid", "send the others where a row or a report is wrong; ends with 2 all the same")
      .option("-n, --dry-run", "say what there is and what is wrong, and send nothing")
      .addOption(formatsOption())
      .addOption(assumeOption())
      .addOption(severityOption());
    addScorecardFlags(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["what a table holds, and what is wrong with it", "maturity backfill --dry-run past.csv"],
      ["a table of one application", "maturity backfill --app cart --metric unit_coverage past.csv"],
      ["the reports that a CI has kept", "maturity backfill --metric 'trivy-*.json=image_scan' kept-reports"],
    ]);
    command.addHelpText("after", aboutTables);
  },

  async run([path = ""], flags, context, output) {
    const settings = await settingsOf(flags, context);
    const dryRun = flags.dryRun === true;
    const skipInvalid = flags.skipInvalid === true;
    if (!dryRun) requireUrl(settings);
    requireSentNames(settings);
    const since = sinceOf(flags.since, context.now());
    const found = await readPast(path, settings, flags, context, output);
    output.progress("checking …");
    const now = context.now();
    const scorecards = await availableScorecards(settings, context.cwd);
    const { results, faults, notes } = await checked(found, scorecards, { now, since });
    output.done();
    const plan = planOf(results);
    showPlan(plan, output);
    for (const note of new Set(notes)) output.note(note);
    if (faults.length > 0 && !skipInvalid) throw new FilesError(listed(faults));
    for (const fault of listed(faults)) output.warn(`${faultText(fault)}; going on without it (--skip-invalid)`);
    if (results.length === 0) throw new NothingToSendError(`${path} holds no result, so there is nothing to send`);
    const about = { metrics: plan, skipped: faults };
    if (dryRun) {
      output.line(output.colors.dim("nothing was sent (--dry-run)"));
      output.result({ dry_run: true, ...about });
      return faults.length > 0 ? exitCodes.wrongUse : exitCodes.done;
    }
    const client = await connect(settings, flags, context, output);
    const total = counted(results.length, "result");
    const { stored, refused } = await sendPast(results, client, {
      skipInvalid,
      onProgress: (count) => output.progress(`${count.toLocaleString("en")} of ${total} stored …`),
      onStop(count, next) {
        if (count === 0 || !next) return;
        const way = `--since ${next.submission.measured_at}`;
        output.warn(`${count.toLocaleString("en")} of ${total} are stored; the same call with ${way} goes on`);
      },
    });
    output.done();
    for (const fault of listed(refused)) output.warn(`${faultText(fault)}; it is not stored (--skip-invalid)`);
    output.line(`${counted(stored, "result")} stored`);
    output.result({ stored, ...about, skipped: [...faults, ...refused] });
    return faults.length + refused.length > 0 ? exitCodes.wrongUse : exitCodes.done;
  },
};

/** The end of the help. */
const aboutTables = `
Columns of a table: area, team, app, env, scorecard, metric, measured_at
(RFC 3339), and raw.critical and so on for the values, or raw with an object in
JSON, and no value in both; if wanted pipeline_id and project_repo. Where area,
team, app, env or metric is no column, the flags say it. Other columns are
passed over.
`;

async function readPast(
  path: string,
  settings: Settings,
  flags: Flags,
  context: Context,
  output: Output,
): Promise<PastResults> {
  if (path !== "-" && (await isDirectory(resolve(context.cwd, path)))) {
    await requireFormats(flags);
    const asked = await askedOf(flags);
    const found = await readPastReports(path, requireTarget(settings), asked, context, output.progress);
    output.done();
    showFiles(found.verdicts, output);
    return found;
  }
  const isForReports = flags.exclude ?? flags.format ?? flags.assumeScanned ?? flags.assumeSeverity;
  if (isForReports !== undefined) {
    throw new UsageError("--exclude, --format, --assume-scanned and --assume-severity are for a directory of reports");
  }
  const [metric, ...others] = valuesOf(flags.metric);
  if (others.length > 0 || metric?.includes("=")) throw new UsageError("of a table --metric names one metric");
  const bytes =
    path === "-" ? await buffer(context.stdin) : await readBytes(resolve(context.cwd, path), path, maxTableBytes);
  const frame = { target: knownTarget(settings), metric: metric === undefined ? undefined : metricNamed(metric) };
  return readRows(textOf(bytes, path), frame, context.now());
}

/** @throws UsageError that names the first line with bytes of another encoding, whose names would become others */
function textOf(bytes: Buffer, path: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const lines = bytes.toString("latin1").split("\n");
  const line = 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, "latin1")));
  throw new UsageError(`${path}: line ${line} is not UTF-8; save the table as UTF-8`);
}

/** @throws UsageError */
function sinceOf(since: unknown, now: number): number | undefined {
  if (since === undefined) return undefined;
  const fault = timeFault(String(since), now);
  if (fault) throw new UsageError(`--since ${fault}`);
  return Date.parse(String(since));
}

function listed(faults: readonly PathFault[]): PathFault[] {
  const more = faults.length - maxListed;
  return [...faults.slice(0, maxListed), ...(more > 0 ? [{ path: "", message: `and ${more} more` }] : [])];
}
