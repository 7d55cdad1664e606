import type { AnySubmission, Client, ProblemRequest, ScoreResponse } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Target } from "@maturity/core";
import { type Conditions, conditionsOf } from "@maturity/gate/conditions";
import type { Scored } from "@maturity/gate/judge";
import { asksService, judge } from "@maturity/gate/judge";
import { gateJson, judgedJson } from "@maturity/gate/words";
import { summaryOfFile } from "@maturity/report-files/file-summary";
import { givenTime, historyNotes, measuredField, namingTimes } from "@maturity/report-files/measured";
import { summaryOf } from "@maturity/report-files/readings";
import type { MetricResult } from "@maturity/report-files/results";
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
import { exitCodes } from "../exit-codes.ts";
import { aboutPatterns, addFileFlags } from "../folder/file-flags.ts";
import { readInput } from "../folder/read-input.ts";
import { type ProblemFrame, sendProblems } from "../folder/send-problems.ts";
import { addCommentFlags, commentName, showOnForge } from "../forge/show.ts";
import { addConditionFlags } from "../gate/condition-flags.ts";
import { gateSummary, showJudged, showVerdicts } from "../gate/show.ts";
import { whereStored } from "../moved.ts";
import { originOf } from "../origin.ts";
import { measuredOption } from "../report-formats.ts";
import { scoreHere } from "../scoring.ts";
import { requireSentNames } from "../sent-names.ts";
import { knownTarget, requireTarget, requireUrl } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";
import { problemLines, showProblem } from "../show-problem.ts";
import { showScore } from "../show-score.ts";
import { addSummaryFlags, wantsSummary, writeSummary } from "../summary/write.ts";

/** `maturity submit`: sends reports or raw values to the service, or scores them on this machine with `--dry-run`. */
export const submit: CommandModule = {
  define(command) {
    command.description(
      "Scores the reports of tools, or values given by --raw, and stores each score in place of the former one. The " +
        "format of a report shows in its content. Of a directory, and of several files, it lists for each which metric it " +
        "feeds, merges the shards of a scan or a test run, and sends all in one batch. A report that does not show that " +
        "the thing was looked for gives no score.",
    );
    addFileFlags(command);
    command
      .option("-r, --raw <name=value>", "a value by hand; may stand several times, also beside a report", collect)
      .option("--chat-channel <name>", "of --problems: where to alert (MATURITY_CHAT_CHANNEL)")
      .addOption(measuredOption())
      .option("-n, --dry-run", "score on this machine and send nothing")
      .option("--pipeline-id <id>", "the run that reports; default: from the CI")
      .option("--project-repo <address>", "the repository; default: from the CI")
      .option("--commit <hash>", "the commit, stored as commit in raw; default: from the CI");
    addSummaryFlags(command);
    addScorecardFlags(command);
    command
      .optionsGroup("What must hold, with --gate:")
      .option("--gate", "end with 1 where one of these does not hold; all is stored nevertheless");
    addConditionFlags(command);
    addCommentFlags(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["all that the tools of a pipeline wrote", "maturity submit --metric lcov.info=unit_coverage reports"],
      ["what a scan of the image found", "maturity submit --metric image_scan trivy.json"],
      ["the coverage of a test run in shards", "maturity submit --metric unit_coverage shard-*/lcov.info"],
      ["a score and a problem", "maturity submit --problems gitleaks.json=repository_secret,high gitleaks.json"],
      ["a report that says itself what it measures", "semgrep --json . | maturity submit -"],
      ["an audit by hand", "maturity submit --metric libs_secrets --raw enabled=true"],
      ["a report and its gate, read once", "maturity submit --gate --min 80 --no-worse trivy.json"],
      ["what it would score, and why", "maturity submit --dry-run --metric sast gosec.json"],
    ]);
    command.addHelpText("after", aboutPatterns(", 1 when a condition of --gate does not hold"));
  },

  async run(args, flags, context, output) {
    const settings = await settingsOf(flags, context);
    const dryRun = flags.dryRun === true;
    const conditions = wantedConditions(flags);
    const name = dryRun ? undefined : commentName(flags);
    const asks = conditions !== undefined && asksService(conditions);
    if (!dryRun || asks) requireUrl(settings);
    const target = dryRun && !asks ? knownTarget(settings) : requireTarget(settings);
    requireSentNames(settings);
    const { commit, ...origin } = await originOf(flags, context);
    const given = givenTime(flags, context.now());
    const { verdicts, faults = [], ...input } = await readInput("submit", args, flags, context, output);
    const problems = (input.problems ?? []).map(({ found, reading }) => ({
      found: { ...found, ...measuredField(reading, given) },
      reading,
    }));
    const results = input.results.map((result) => ({
      ...result,
      ...measuredField(result.reading, given),
      raw: commit === undefined || "commit" in result.raw ? result.raw : { ...result.raw, commit },
    }));
    const connection = dryRun && !asks ? undefined : await connect(settings, flags, context, output);
    const client = dryRun ? undefined : connection;
    const service =
      (asks || name !== undefined) && connection ? { client: connection, target: target as Target } : undefined;
    const scored = dryRun || conditions ? await scoreHere(results, settings, context.cwd) : [];
    const gate = conditions && (await judge(conditions, scored, problems, context.now(), service));
    const wanted = wantsSummary(flags, context);
    const former = client && wanted ? await askFormer(client, target as Target) : undefined;
    const scores = client
      ? await send(results, target as Target, origin, client, output)
      : scored.map((one) => scoredOf(one, target, origin));
    for (const [index, score] of scores.entries()) {
      showScore(score, output);
      const judged = gate?.scores[index];
      if (gate && judged) showJudged(judged, gate.conditions, output);
    }
    const channel = settings.chat_channel && { chat_channel: settings.chat_channel.value };
    const frame = { ...target, ...channel } as ProblemFrame;
    const found: readonly (ProblemRequest & Pick<ScoreResponse, "moved_to">)[] = client
      ? await sendProblems(problems, frame, client, output)
      : problems.map((problem) => ({ ...frame, ...problem.found }));
    if (dryRun) for (const problem of found) showProblem(problem, output);
    if (gate) showVerdicts(gate, output);
    const { place, notes: moved } = whereStored(target, [...scores, ...found]);
    const notes = [...moved, ...historyNotes(scores)];
    const whose = placeOf(place);
    const unsent = `nothing was sent (--dry-run)${whose && `; it would be for ${whose}`}`;
    output.line(output.colors.dim(dryRun ? unsent : `stored for ${whose}`));
    for (const note of notes) output.note(note);
    const standing = client && (await askStanding(client, requireUrl(settings), place as Target, context));
    if (standing) showStanding(standing, output);
    if (wanted || name !== undefined) {
      const shown = scores.map((score) => ({ ...score, former: former?.(score) }));
      const summary = {
        ...{
          title: dryRun ? "nothing was sent" : "results stored",
          scores: shown,
          ...(gate && gateSummary(gate, faults)),
        },
        ...{ target: place, standing, lines: [...notes, ...found.flatMap(problemLines)] },
      };
      await writeSummary(summary, flags, context, output);
      if (gate && name !== undefined) {
        const isMet = gate.isMet && faults.length === 0;
        await showOnForge({ ...summary, target: target as Target }, { name, isMet }, flags, context, output);
      }
    }
    output.result({
      ...(dryRun && { dry_run: true }),
      ...(verdicts && { files: verdicts.map(summaryOfFile) }),
      scores: scores.map((score, index) => {
        const { raw, reading } = results[index] ?? {};
        const judged = gate?.scores[index];
        return {
          ...score,
          ...(dryRun && { raw }),
          ...(gate && judged && judgedJson(judged, gate.conditions)),
          ...(reading && { report: summaryOf(reading) }),
        };
      }),
      ...(problems.length > 0 && {
        problems: problems.map(({ reading }, index) => ({ ...found[index], report: summaryOf(reading) })),
      }),
      ...(gate && { gate: gateJson(gate) }),
      ...(standing && standingJson(standing)),
      ...(faults.length > 0 && { faults }),
    });
    if (faults.length > 0) return exitCodes.wrongUse;
    return gate?.isMet === false ? exitCodes.gateNotMet : exitCodes.done;
  },
};

/** @throws UsageError for a condition without `--gate`, which would have no effect */
function wantedConditions(flags: Flags): Conditions | undefined {
  if (flags.gate === true) return conditionsOf(flags);
  const { min, maxAge, worse, maxDrop, appMin, newProblems, comment } = flags;
  const given = min ?? maxAge ?? maxDrop ?? appMin ?? comment;
  if (given !== undefined || worse === false || newProblems === false) {
    throw new UsageError(
      "--min, --max-age, --no-worse, --max-drop, --app-min, --no-new-problems and --comment need --gate",
    );
  }
  return undefined;
}

type Shown = Pick<ScoreResponse, "scorecard" | "metric" | "score" | "reasons" | "scorer" | "moved_to"> &
  Partial<Pick<ScoreResponse, "stored">>;

/** A result, and when it was measured (RFC 3339) if that is known. */
type DatedResult = MetricResult & { readonly measured_at?: string };

function submissionOf({ scorecard, metric, raw }: MetricResult, target: object, origin: object): object {
  return { ...target, scorecard, metric, raw, ...origin };
}

/** A score of this machine as the service would answer it. */
function scoredOf({ reasons, score, scorer, ...result }: Scored, target: object, origin: object): Shown {
  const { raw: _, ...key } = submissionOf(result, target, origin) as MetricResult;
  return { ...key, score, scorer, reasons: [...reasons] as Shown["reasons"] };
}

async function send(
  results: readonly DatedResult[],
  target: Target,
  origin: object,
  client: Client<AnySubmission>,
  output: Output,
): Promise<Shown[]> {
  output.progress("sending …");
  const submissions = results.map(({ measured_at, ...result }) => ({
    ...(submissionOf(result, target, origin) as AnySubmission),
    ...(measured_at !== undefined && { measured_at }),
  }));
  const [only] = submissions;
  try {
    return only && submissions.length === 1 ? [await client.submit(only)] : await client.submitAll(submissions);
  } catch (error) {
    throw await namingTimes(error, results);
  } finally {
    output.done();
  }
}

function placeOf(target: object): string {
  return printable(Object.values(target).join(" / "));
}
