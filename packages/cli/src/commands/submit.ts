import type { AnySubmission, ScoreResponse } from "@maturity/client";
import {
  addExamples,
  addScorecardFlags,
  addServiceFlags,
  addTargetFlags,
  type CommandModule,
  collect,
  type Flags,
} from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import type { MetricName } from "../metrics.ts";
import { originOf } from "../origin.ts";
import type { Output } from "../output.ts";
import { readResults } from "../raw-results.ts";
import { summaryOf } from "../readings.ts";
import { assumeOption, formatOption } from "../report-formats.ts";
import { createScorer } from "../scoring.ts";
import {
  knownTarget,
  requireTarget,
  requireUrl,
  resolveSettings,
  type Settings,
  scorecardPackages,
} from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { showScore } from "../show-score.ts";
import { printable } from "../terminal.ts";
import { tellUnsent } from "../unsent.ts";

/** `maturity submit`: scores reports or raw values by the service, or without it. */
export const submit: CommandModule = {
  define(command) {
    command
      .description(
        "Scores the report of a tool, or values given by --raw, and stores the score in place of the former one. " +
          "The format of a report is told by its content. Several reports of one metric are merged: the shards of " +
          "a scan or a test run. A report that does not show that the thing was looked for is refused.",
      )
      .argument("[files...]", "reports: paths, patterns, - for standard input")
      .option(
        "-m, --metric <name>",
        "what it measures: image_scan, or cost.budget of a scorecard of your own; needed where the tool is not made for one",
      )
      .option("-r, --raw <name=value>", "a value by hand; may stand several times, also beside a report", collect)
      .addOption(formatOption())
      .addOption(assumeOption())
      .option("-n, --dry-run", "score on this machine and send nothing")
      .option("--pipeline-id <id>", "the run that reports; default: from the CI")
      .option("--project-repo <address>", "the repository; default: from the CI")
      .option("--commit <hash>", "the commit, stored as commit in raw; default: from the CI");
    addScorecardFlags(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["what a scan of the image found", "maturity submit --metric image_scan trivy.json"],
      ["the coverage of a test run in shards", "maturity submit --metric unit_coverage shard-*/lcov.info"],
      ["a report that says itself what it measures", "semgrep --json . | maturity submit -"],
      ["an audit by hand", "maturity submit --metric libs_secrets --raw enabled=true"],
      ["what it would score, and why", "maturity submit --dry-run --metric sast gosec.json"],
    ]);
  },

  async run(args, flags, context, output) {
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const dryRun = flags.dryRun === true;
    if (!dryRun) requireUrl(settings);
    const target = dryRun ? knownTarget(settings) : requireTarget(settings);
    const results = await readResults(args, flags, context);
    const { commit, ...origin } = originOf(flags, context);
    const submissions = results.map(({ scorecard, metric, raw }) => ({
      ...target,
      scorecard,
      metric,
      raw: commit === undefined || "commit" in raw ? raw : { ...raw, commit },
      ...origin,
    }));
    for (const note of new Set(results.flatMap(({ reading }) => reading?.notes ?? []))) output.note(note);
    for (const { reading } of results) if (reading) tellUnsent(reading.unsent, "submit", flags, output);
    const scores = dryRun
      ? await scoreHere(submissions, settings, context)
      : await send(submissions as AnySubmission[], settings, flags, context, output);
    for (const score of scores) showScore(score, output);
    output.line(output.colors.dim(dryRun ? "nothing was sent (--dry-run)" : `stored for ${placeOf(target)}`));
    output.result({
      ...(dryRun && { dry_run: true }),
      scores: scores.map((score, index) => {
        const reading = results[index]?.reading;
        return {
          ...score,
          ...(dryRun && { raw: submissions[index]?.raw }),
          ...(reading && { report: summaryOf(reading) }),
        };
      }),
    });
    return exitCodes.done;
  },
};

type Scored = Pick<ScoreResponse, "scorecard" | "metric" | "score" | "reasons" | "scorer">;

async function scoreHere(
  submissions: readonly (MetricName & { readonly raw: object })[],
  settings: Settings,
  { cwd }: Context,
): Promise<Scored[]> {
  const scored: Scored[] = [];
  for (const submission of submissions) {
    const { scorecard, metric, raw } = submission;
    const engine = await createScorer(scorecard, scorecardPackages(settings), cwd);
    const { reasons, ...rest } = engine.score(scorecard, metric, raw);
    const { raw: _, ...key } = submission;
    scored.push({ ...key, ...rest, reasons: [...reasons] as Scored["reasons"] });
  }
  return scored;
}

async function send(
  submissions: readonly AnySubmission[],
  settings: Settings,
  flags: Flags,
  context: Context,
  output: Output,
): Promise<Scored[]> {
  const client = await connect(settings, flags, context, output);
  output.progress("sending …");
  const [only] = submissions;
  const scores = only && submissions.length === 1 ? [await client.submit(only)] : await client.submitAll(submissions);
  output.done();
  return scores;
}

function placeOf(target: object): string {
  return printable(Object.values(target).join(" / "));
}
