import { conditionsOf } from "@maturity/gate/conditions";
import { asksService, judge } from "@maturity/gate/judge";
import { showJudged, showVerdicts } from "@maturity/gate/show";
import { gateJson, judgedJson } from "@maturity/gate/words";
import { summaryOf } from "@maturity/report-files/readings";
import { gateSummary } from "@maturity/run-summary/gate-summary";
import { askStanding } from "@maturity/run-summary/standing";
import {
  addExamples,
  addScorecardFlags,
  addServiceFlags,
  addTargetFlags,
  type CommandModule,
  collect,
} from "../command.ts";
import { connect } from "../connect.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { aboutPatterns, addFileFlags } from "../folder/file-flags.ts";
import { readInput } from "../folder/read-input.ts";
import { addCommentFlags, commentName, showingFailure, showOnForge } from "../forge/show.ts";
import { addConditionFlags } from "../gate/condition-flags.ts";
import { scoreHere } from "../scoring.ts";
import { knownTarget, requireTarget, requireUrl } from "../settings.ts";
import { settingsOf } from "../settings-file.ts";
import { showScore } from "../show-score.ts";
import { addSummaryFlags, wantsSummary, writeSummary } from "../summary.ts";

/** `maturity gate`: computes scores on this machine, and fails if one is too low, or worse than the stored one. */
export const gate: CommandModule = {
  define(command) {
    command.description(
      "Scores reports or values on this machine and ends with 1 where a score is too low, saying what would reach it, " +
        "or worse than the stored one, saying which value made it so. Stores nothing; submit --gate stores too.",
    );
    addConditionFlags(command);
    addCommentFlags(command);
    command.option("-r, --raw <name=value>", "a value by hand; once for each name, also beside a report", collect);
    addFileFlags(command);
    addSummaryFlags(command);
    addScorecardFlags(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["no merge below 80", "maturity gate --min 80 --metric unit_coverage coverage/lcov.info"],
      ["no release with grave vulnerabilities", "maturity gate --min 50 trivy.json"],
      ["no scan from a cache of last month", "maturity gate --max-age 7d trivy.json"],
      ["all reports of a directory, each by its minimum", "maturity gate --min 50 --min image_scan=80 reports"],
      [
        "no merge that brings a secret",
        "maturity gate --no-new-problems --problems gitleaks.json=secret,high gitleaks.json",
      ],
      ["no merge that lowers the stored score", "maturity gate --no-worse trivy.json"],
      ["no merge that brings the application below 70", "maturity gate --app-min 70 trivy.json"],
      ["the same, shown on the pull request", "maturity gate --app-min 70 --comment trivy.json"],
    ]);
    command.addHelpText("after", aboutPatterns("a condition does not hold"));
  },

  run(args, flags, context, output) {
    return showingFailure(flags, context, output, () => runGate(args, flags, context, output));
  },
};

async function runGate(...[args, flags, context, output]: Parameters<CommandModule["run"]>): Promise<ExitCode> {
  const conditions = conditionsOf(flags);
  const name = commentName(flags);
  const settings = await settingsOf(flags, context);
  const asks = asksService(conditions);
  if (asks) requireUrl(settings);
  const target = asks || name !== undefined ? requireTarget(settings) : undefined;
  const input = await readInput("gate", args, flags, context, output);
  // Nobody waits long for what is only shown.
  const patient = asks ? flags : { timeout: "5", ...flags };
  const service = target && settings.url && { target, client: await connect(settings, patient, context, output) };
  const scored = await scoreHere(input.results, settings, context.cwd);
  const judgement = await judge(conditions, scored, input.problems ?? [], context.now(), service);
  const { scores, stored, isMet } = judgement;
  for (const score of scores) {
    showScore(score, output);
    showJudged(score, conditions, output);
  }
  showVerdicts(judgement, output);
  const { faults = [] } = input;
  if (wantsSummary(flags, context) || name !== undefined) {
    const place = stored?.target ?? knownTarget(settings);
    const standing =
      service && stored && (await askStanding(service.client, requireUrl(settings), stored.target, context));
    const summary = { ...gateSummary(judgement, faults), target: place, standing };
    await writeSummary(summary, flags, context, output);
    if (target && name !== undefined) {
      const outcome = { name, isMet: isMet && faults.length === 0 };
      await showOnForge({ ...summary, target }, outcome, flags, context, output);
    }
  }
  output.result({
    ...gateJson(judgement),
    ...(faults.length > 0 && { faults }),
    scores: scores.map((score) => {
      const { scorecard, metric, raw, reasons, scorer, reading } = score;
      return {
        ...{ scorecard, metric, raw, score: score.score, scorer, reasons },
        ...judgedJson(score, conditions),
        ...(reading && { report: summaryOf(reading) }),
      };
    }),
  });
  if (faults.length > 0) return exitCodes.wrongUse;
  return isMet ? exitCodes.done : exitCodes.gateNotMet;
}
