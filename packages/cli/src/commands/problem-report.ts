import type { ProblemRequest } from "@maturity/client";
import { insteadOf } from "@maturity/command-line/did-you-mean";
import type { Flags } from "@maturity/command-line/flags";
import { requireName } from "@maturity/command-line/require-name";
import { UsageError } from "@maturity/command-line/usage-error";
import { severities } from "@maturity/core/wire";
import { givenTime, measuredField, namingTimes } from "@maturity/report-files/measured";
import { type MergedReading, readReports, summaryOf } from "@maturity/report-files/readings";
import { showNotes, showUnsent } from "@maturity/report-files/show-notes";
import { type FlaggedKind, kindFlags } from "@maturity/report-files/ways-out";
import type { Severity } from "@maturity/reports";
import { Option } from "commander";
import { addExamples, addServiceFlags, addTargetFlags, type CommandModule } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { whereStored } from "../moved.ts";
import { assumeOption, formatOption, measuredOption, requireFormats } from "../report-formats.ts";
import { requireSentNames } from "../sent-names.ts";
import { knownTarget, requireTarget, requireUrl } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";
import { alertText, problemLines, showProblem } from "../show-problem.ts";
import { addSummaryFlag, writeSummary } from "../summary.ts";

/** `maturity problem report`: opens or resolves a problem, from the report of a scanner. */
export const problemReport: CommandModule = {
  define(command) {
    command
      .description(
        "Reports what a scanner found. Findings open the problem and alert; a clean report resolves it, so one step of " +
          "a pipeline does both. Clean is a report only of what it shows to have been looked for; of a tool that looks " +
          "for several things, name the one that the problem is about.",
      )
      .argument("[files...]", "reports: paths, patterns, - for standard input")
      .requiredOption("-t, --type <name>", "kind of finding, such as terraform_secret; one problem an application each")
      .option("-s, --severity <level>", "critical, high, medium, low or info; default: the gravest of the report")
      .addOption(kindOption("secrets", "count the hard-coded secrets of the report"))
      .addOption(kindOption("misconfigurations", "count its misconfigurations"))
      .addOption(kindOption("vulnerabilities", "count its vulnerabilities"))
      .option("--count <number>", "how many findings, without a report")
      .option("--chat-channel <name>", "where to alert (MATURITY_CHAT_CHANNEL); default: that of the service")
      .addOption(formatOption())
      .addOption(assumeOption())
      .addOption(measuredOption())
      .option("-n, --dry-run", "show what would be sent, and send nothing");
    addSummaryFlag(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      [
        "secrets in the repository",
        "maturity problem report --type terraform_secret --secrets --severity high gitleaks.json",
      ],
      ["secrets of a tool that finds more", "maturity problem report --type repository_secret --secrets trivy.json"],
      ["a scan in shards", 'maturity problem report --type misconfiguration "checkov/*.json"'],
      ["resolved by hand", "maturity problem report --type terraform_secret --count 0"],
    ]);
  },

  async run(args, flags, context, output) {
    const settings = await settingsOf(flags, context);
    const dryRun = flags.dryRun === true;
    if (!dryRun) requireUrl(settings);
    const target = dryRun ? knownTarget(settings) : requireTarget(settings);
    requireSentNames(settings);
    requireName("--type", flags.type as string);
    await requireFormats(flags);
    const given = givenTime(flags, context.now());
    const { reading, ...found } = await readFindings(args, flags, context);
    const request = {
      ...target,
      problem_type: flags.type as string,
      ...found,
      ...measuredField(reading, given),
      ...(settings.chat_channel && { chat_channel: settings.chat_channel.value }),
    };
    if (reading) showNotes([reading], output);
    if (reading) showUnsent(reading.unsent, "problem report", flags, output);
    const { count, details } = found;
    if (details.length < count && reading) output.note(`${details.length} of ${count} findings are listed`);
    const report = reading && { report: summaryOf(reading) };
    if (dryRun) {
      showProblem(request, output);
      output.line(output.colors.dim("nothing was sent (--dry-run)"));
      const summary = { title: "nothing was sent", target, scores: [], lines: problemLines(request) };
      await writeSummary(summary, flags, context, output);
      output.result({ dry_run: true, ...request, ...report });
      return exitCodes.done;
    }
    const client = await connect(settings, flags, context, output);
    output.progress("sending …");
    const stored = await client.reportProblem(request as ProblemRequest).catch(async (error) => {
      throw await namingTimes(error, [{ ...request, ...(reading && { reading }) }]);
    });
    output.done();
    showProblem(stored, output);
    output.line(output.colors.dim(alertText(stored)));
    const { place, notes } = whereStored(target, [stored]);
    for (const note of notes) output.note(note);
    const lines = [...notes, ...problemLines(stored), alertText(stored)];
    await writeSummary({ title: "problem stored", target: place, scores: [], lines }, flags, context, output);
    output.result({ ...stored, ...report });
    return exitCodes.done;
  },
};

/** The flag of a kind of findings. It excludes the others, because a problem is about one kind. */
function kindOption(kind: FlaggedKind, text: string): Option {
  const others = (Object.keys(kindFlags) as FlaggedKind[]).filter((name) => name !== kind);
  return new Option(kindFlags[kind], text).conflicts(others);
}

interface Findings {
  readonly severity: Severity;
  readonly count: number;
  readonly details: ProblemRequest["details"] & object;
  readonly reading?: MergedReading;
}

async function readFindings(args: readonly string[], flags: Flags, context: Context): Promise<Findings> {
  const given = severityOf(flags.severity);
  if (args.length === 0) {
    if (flags.count === undefined) throw new UsageError("give a report, or the number of findings with --count");
    const count = countOf(String(flags.count));
    return { severity: given ?? needSeverity(count, "--count names no severity"), count, details: [] };
  }
  if (flags.count !== undefined) throw new UsageError("--count is for problems without a report");
  const kind = (Object.keys(kindFlags) as FlaggedKind[]).find((name) => flags[name] === true);
  const readings = await readReports(
    args,
    {
      for: "problem",
      ...(kind && { kind }),
      ...(typeof flags.format === "string" && { format: flags.format }),
      ...(flags.assumeScanned === true && { assumeScanned: true }),
    },
    context,
  );
  const [reading] = readings;
  if (readings.length > 1) {
    const kinds = readings.map(({ format, kind }) => `${format} (${kind})`).join(", ");
    throw new UsageError(`these reports are about different things, so report each with its own --type: ${kinds}`);
  }
  if (!reading?.problem) throw new UsageError(`${args.join(", ")}: lists no findings`);
  const { count, severity, details } = reading.problem;
  return {
    severity: given ?? severity ?? needSeverity(count, "the report names no severity"),
    count,
    details: [...details],
    reading,
  };
}

/** The largest count that the service accepts. */
const maxCount = 2_147_483_647;

/** @throws UsageError if it is no whole number that the service accepts */
function countOf(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= maxCount) return count;
  throw new UsageError(`--count must be a whole number from 0 to ${maxCount.toLocaleString("en")}, and not ${text}`);
}

/** @throws UsageError if there is no such severity */
function severityOf(text: unknown): Severity | undefined {
  if (text === undefined) return undefined;
  const severity = severities.find((one) => one === String(text).toLowerCase());
  if (severity) return severity;
  throw new UsageError(`there is no severity ${text}${insteadOf(String(text), severities)}`);
}

/**
 * The severity of a problem for which none is known. The service needs one, also for a resolved problem, where it has
 * no meaning.
 *
 * @throws UsageError if the problem is open
 */
function needSeverity(count: number, reason: string): Severity {
  if (count === 0) return "info";
  throw new UsageError(`${reason}: give --severity`);
}
