import type { AnySubmission, Client, ProblemRequest, ScoreResponse } from "@maturity/client";
import type { Target } from "@maturity/core";
import { askFormer, askStanding, showStanding, standingJson } from "../asking/standing.ts";
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
import { aboutPatterns, addFileFlags } from "../folder/file-flags.ts";
import { readInput } from "../folder/read-input.ts";
import { type ProblemFrame, sendProblems } from "../folder/send-problems.ts";
import { summaryOfFile } from "../folder/show-files.ts";
import type { MetricName } from "../metrics.ts";
import { whereStored } from "../moved.ts";
import { originOf } from "../origin.ts";
import type { Output } from "../output.ts";
import { summaryOf } from "../readings.ts";
import { createScorer } from "../scoring.ts";
import { requireSentNames } from "../sent-names.ts";
import {
  knownTarget,
  requireTarget,
  requireUrl,
  resolveSettings,
  type Settings,
  scorecardPackages,
} from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { problemLines, showProblem } from "../show-problem.ts";
import { showScore } from "../show-score.ts";
import { addSummaryFlags, wantsSummary, writeSummary } from "../summary/write.ts";
import { printable } from "../terminal.ts";

/** `maturity submit`: sends reports or raw values to the service, or scores them on this machine with `--dry-run`. */
export const submit: CommandModule = {
  define(command) {
    command.description(
      "Scores the reports of tools, or values given by --raw, and stores each score in place of the former one. The " +
        "format of a report is told by its content. Of a directory, and of several files, it says for each which metric it " +
        "feeds, merges the shards of a scan or a test run, and sends all in one batch. A report that does not show that " +
        "the thing was looked for gives no score.",
    );
    addFileFlags(command);
    command
      .option("-r, --raw <name=value>", "a value by hand; may stand several times, also beside a report", collect)
      .option("--chat-channel <name>", "of --problems: where to alert (MATURITY_CHAT_CHANNEL)")
      .option("-n, --dry-run", "score on this machine and send nothing")
      .option("--pipeline-id <id>", "the run that reports; default: from the CI")
      .option("--project-repo <address>", "the repository; default: from the CI")
      .option("--commit <hash>", "the commit, stored as commit in raw; default: from the CI");
    addSummaryFlags(command);
    addScorecardFlags(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["all that the tools of a pipeline wrote", "maturity submit --metric lcov.info=unit_coverage reports"],
      ["what a scan of the image found", "maturity submit --metric image_scan trivy.json"],
      ["the coverage of a test run in shards", "maturity submit --metric unit_coverage shard-*/lcov.info"],
      ["a score and a problem", "maturity submit --problems gitleaks.json=repository_secret,high gitleaks.json"],
      ["a report that says itself what it measures", "semgrep --json . | maturity submit -"],
      ["an audit by hand", "maturity submit --metric libs_secrets --raw enabled=true"],
      ["what it would score, and why", "maturity submit --dry-run --metric sast gosec.json"],
    ]);
    command.addHelpText("after", aboutPatterns);
  },

  async run(args, flags, context, output) {
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const dryRun = flags.dryRun === true;
    if (!dryRun) requireUrl(settings);
    const target = dryRun ? knownTarget(settings) : requireTarget(settings);
    requireSentNames(settings);
    const { commit, ...origin } = originOf(flags, context);
    const { results, problems = [], verdicts, faults = [] } = await readInput("submit", args, flags, context, output);
    const submissions = results.map(({ scorecard, metric, raw }) => ({
      ...target,
      scorecard,
      metric,
      raw: commit === undefined || "commit" in raw ? raw : { ...raw, commit },
      ...origin,
    }));
    const client = dryRun ? undefined : await connect(settings, flags, context, output);
    const wanted = wantsSummary(flags, context);
    const former = client && wanted ? await askFormer(client, target as Target) : undefined;
    const scores = client
      ? await send(submissions as AnySubmission[], client, output)
      : await scoreHere(submissions, settings, context);
    for (const score of scores) showScore(score, output);
    const channel = settings.chat_channel && { chat_channel: settings.chat_channel.value };
    const frame = { ...target, ...channel } as ProblemFrame;
    const found: readonly (ProblemRequest & Pick<ScoreResponse, "moved_to">)[] = client
      ? await sendProblems(problems, frame, client, output)
      : problems.map((problem) => ({ ...frame, ...problem.found }));
    if (dryRun) for (const problem of found) showProblem(problem, output);
    const { place, notes } = whereStored(target, [...scores, ...found]);
    output.line(output.colors.dim(dryRun ? "nothing was sent (--dry-run)" : `stored for ${placeOf(place)}`));
    for (const note of notes) output.note(note);
    const standing = client && (await askStanding(client, requireUrl(settings), place as Target, context));
    if (standing) showStanding(standing, output);
    if (wanted) {
      const title = dryRun ? "nothing was sent" : "results stored";
      const shown = scores.map((score) => ({ ...score, former: former?.(score) }));
      await writeSummary(
        { title, target: place, scores: shown, standing, lines: [...notes, ...found.flatMap(problemLines)] },
        flags,
        context,
        output,
      );
    }
    output.result({
      ...(dryRun && { dry_run: true }),
      ...(verdicts && { files: verdicts.map(summaryOfFile) }),
      scores: scores.map((score, index) => {
        const reading = results[index]?.reading;
        return {
          ...score,
          ...(dryRun && { raw: submissions[index]?.raw }),
          ...(reading && { report: summaryOf(reading) }),
        };
      }),
      ...(problems.length > 0 && {
        problems: problems.map(({ reading }, index) => ({ ...found[index], report: summaryOf(reading) })),
      }),
      ...(standing && standingJson(standing)),
      ...(faults.length > 0 && { faults }),
    });
    return faults.length > 0 ? exitCodes.wrongUse : exitCodes.done;
  },
};

type Scored = Pick<ScoreResponse, "scorecard" | "metric" | "score" | "reasons" | "scorer" | "moved_to">;

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
  client: Client<AnySubmission>,
  output: Output,
): Promise<Scored[]> {
  output.progress("sending …");
  const [only] = submissions;
  const scores = only && submissions.length === 1 ? [await client.submit(only)] : await client.submitAll(submissions);
  output.done();
  return scores;
}

function placeOf(target: object): string {
  return printable(Object.values(target).join(" / "));
}
