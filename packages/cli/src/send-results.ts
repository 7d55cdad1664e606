import type { AnySubmission, Client, ProblemRequest, ScoreResponse } from "@maturity/client";
import type { Flags } from "@maturity/command-line/flags";
import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Target } from "@maturity/core";
import { requireStorable } from "@maturity/core/wire";
import { type Conditions, conditionsOf } from "@maturity/gate/conditions";
import type { DatedResult, Scored } from "@maturity/gate/judge";
import { asksService, judge } from "@maturity/gate/judge";
import { showJudged, showVerdicts } from "@maturity/gate/show";
import { gateJson, judgedJson } from "@maturity/gate/words";
import { summaryOfFile } from "@maturity/report-files/file-summary";
import { givenTime, historyNotes, measuredField, namingTimes } from "@maturity/report-files/measured";
import { summaryOf } from "@maturity/report-files/readings";
import type { MetricResult } from "@maturity/report-files/results";
import { gateSummary } from "@maturity/run-summary/gate-summary";
import { askFormer, askStanding, showStanding, standingJson } from "@maturity/run-summary/standing";
import { connect } from "./connect.ts";
import type { Context } from "./context.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { readInput } from "./folder/read-input.ts";
import { type ProblemFrame, sendProblems } from "./folder/send-problems.ts";
import { commentName, showOnForge } from "./forge/show.ts";
import { whereStored } from "./moved.ts";
import { originOf } from "./origin.ts";
import { PartlyDoneError } from "./partly-done.ts";
import { scoreHere } from "./scoring.ts";
import { requireSentNames } from "./sent-names.ts";
import { knownTarget, requireTarget, requireUrl } from "./settings.ts";
import { settingsOf } from "./settings-file.ts";
import { problemLines, showProblem } from "./show-problem.ts";
import { showScore } from "./show-score.ts";
import { wantsSummary, writeSummary } from "./summary.ts";

/**
 * Reads results and sends them. With `--dry-run`, and for `detect`, which always lists what becomes of each file, it scores
 * them on this machine instead.
 *
 * @throws UsageError, ReportError, FilesError, NothingToSendError, MaturityError, MaturityClientError
 */
export async function sendResults(
  command: "submit" | "detect",
  args: readonly string[],
  flags: Flags,
  context: Context,
  output: Output,
): Promise<ExitCode> {
  const settings = await settingsOf(flags, context);
  const dryRun = flags.dryRun === true || command === "detect";
  const conditions = wantedConditions(flags);
  const name = dryRun ? undefined : commentName(flags);
  const asks = conditions !== undefined && asksService(conditions);
  if (!dryRun || asks) requireUrl(settings);
  const target = dryRun && !asks ? knownTarget(settings) : requireTarget(settings);
  requireSentNames(settings);
  const { commit, ...origin } = await originOf(flags, context);
  const given = givenTime(flags, context.now());
  const { verdicts, faults = [], ...input } = await readInput(command, args, flags, context, output);
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
  const wanted = command === "submit" && wantsSummary(flags, context);
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
  const sent = client && (await sendProblems(problems, frame, client, output));
  const found: readonly (ProblemRequest & Pick<ScoreResponse, "moved_to">)[] =
    sent?.stored ?? problems.map((problem) => ({ ...frame, ...problem.found }));
  const failure = sent?.failure;
  if (failure && scores.length + found.length === 0) throw failure.error;
  if (dryRun) for (const problem of found) showProblem(problem, output);
  if (gate) showVerdicts(gate, output);
  const { place, notes: moved } = whereStored(target, [...scores, ...found]);
  const notes = [...moved, ...historyNotes(scores)];
  const whose = placeOf(place);
  const unsent = `nothing was sent${flags.dryRun ? " (--dry-run)" : ""}${whose && `; it would be for ${whose}`}`;
  output.line(output.colors.dim(dryRun ? unsent : `stored for ${whose}`));
  for (const note of notes) output.note(note);
  const standing =
    client && !failure ? await askStanding(client, requireUrl(settings), place as Target, context) : undefined;
  if (standing) showStanding(standing, output);
  if (!failure && (wanted || name !== undefined)) {
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
  const printed = {
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
      problems: problems
        .slice(0, found.length)
        .map(({ reading }, index) => ({ ...found[index], report: summaryOf(reading) })),
    }),
    ...(failure && { in_doubt: failure.inDoubt, not_stored: failure.notStored }),
    ...(gate && { gate: gateJson(gate) }),
    ...(standing && standingJson(standing)),
    ...(faults.length > 0 && { faults }),
  };
  if (failure) throw new PartlyDoneError(printed, failure.error);
  output.result(printed);
  if (faults.length > 0) return exitCodes.wrongUse;
  if (results.length + problems.length === 0) return exitCodes.nothingToSend;
  return gate?.isMet === false ? exitCodes.gateNotMet : exitCodes.done;
}

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
  for (const { raw } of results) requireStorable(raw);
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
