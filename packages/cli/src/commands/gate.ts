import type { AnySubmission, Client } from "@maturity/client";
import type { Target } from "@maturity/core";
import { askStanding } from "../asking/standing.ts";
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
import type { FoundProblem } from "../folder/merge-group.ts";
import { readInput } from "../folder/read-input.ts";
import { conditionsOf, minimumOf } from "../gate/conditions.ts";
import { appText, comparisonText, isPassing, reachLines, showReach, showVerdicts, verdictsOf } from "../gate/show.ts";
import { appScoresWith, askStored, compare } from "../gate/stored.ts";
import { summaryOf } from "../readings.ts";
import { createScorer } from "../scoring.ts";
import { knownTarget, requireTarget, requireUrl, resolveSettings, scorecardPackages } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { showScore } from "../show-score.ts";
import { addSummaryFlags, wantsSummary, writeSummary } from "../summary/write.ts";
import { printable } from "../terminal.ts";

/** `maturity gate`: computes scores on this machine, and fails if one is too low, or worse than the stored one. */
export const gate: CommandModule = {
  define(command) {
    command
      .description(
        "Scores reports or values on this machine and ends with 1 where a score is too low, saying what would reach it, " +
          "or worse than the stored one, saying which value made it so. Nothing is sent.",
      )
      .option("--min <[metric=]score>", "the lowest score that passes, 0 to 100; of one metric: image_scan=80", collect)
      .option("--no-worse", "no score may be below the stored one; passes where nothing is stored yet")
      .option("--max-drop <points>", "how many points a score may be below the stored one")
      .option("--app-min <score>", "the lowest score of the application that passes, as it would be with this result")
      .option("--no-new-problems", "no problem of --problems may be found that is not open already")
      .option("-r, --raw <name=value>", "a value by hand; may stand several times, also beside a report", collect);
    addFileFlags(command);
    addSummaryFlags(command);
    addScorecardFlags(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["no merge below 80", "maturity gate --min 80 --metric unit_coverage coverage/lcov.info"],
      ["no release with grave vulnerabilities", "maturity gate --min 50 trivy.json"],
      ["all reports of a directory, each by its minimum", "maturity gate --min 50 --min image_scan=80 reports"],
      [
        "no merge that brings a secret",
        "maturity gate --no-new-problems --problems gitleaks.json=secret,high gitleaks.json",
      ],
      ["no merge that lowers the stored score", "maturity gate --no-worse trivy.json"],
      ["no merge that brings the application below 70", "maturity gate --app-min 70 trivy.json"],
    ]);
    command.addHelpText("after", aboutPatterns);
  },

  async run(args, flags, context, output) {
    const conditions = conditionsOf(flags);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const asks = conditions.maxDrop !== undefined || conditions.appMin !== undefined || conditions.noNewProblems;
    if (asks) requireUrl(settings);
    const target = asks ? requireTarget(settings) : undefined;
    const { results, problems = [], faults = [] } = await readInput("gate", args, flags, context, output);
    const { findReach } = await import("@maturity/core");
    const scored = [];
    for (const result of results) {
      const engine = await createScorer(result.scorecard, scorecardPackages(settings), context.cwd);
      scored.push({ ...result, engine, ...engine.score(result.scorecard, result.metric, result.raw) });
    }
    const client = asks ? await connect(settings, flags, context, output) : undefined;
    const stored = client && target && (await askStored(client, target));
    const newProblems = stored && client ? await newProblemsOf(problems, stored.target, client) : [];
    const app = stored && conditions.appMin !== undefined ? await appScoresWith(scored, stored) : undefined;
    const judged = scored.map(({ engine, reading, reasons, ...score }) => {
      const min = minimumOf(conditions, score);
      const comparison = stored && conditions.maxDrop !== undefined && compare({ ...score, reasons }, engine, stored);
      const reach =
        min === undefined || score.score >= min
          ? undefined
          : findReach(engine, score.scorecard, score.metric, score.raw, min);
      return { ...score, min, reasons, reading, reach, comparison: comparison || undefined };
    });
    for (const { min, reach, reading, comparison, ...score } of judged) {
      showScore(score, output);
      if (conditions.maxDrop !== undefined) output.line(`  ${printable(comparisonText(comparison))}`);
      if (reach && min !== undefined) showReach(reach, min, reading, output);
    }
    if (app) output.line(appText(app));
    const verdicts = verdictsOf(conditions, judged, { app, newProblems });
    showVerdicts(verdicts, output);
    const isMet = verdicts.every(({ met }) => met);
    if (wantsSummary(flags, context)) {
      const place = stored?.target ?? knownTarget(settings);
      const standing = stored && client && (await askStanding(client, requireUrl(settings), stored.target, context));
      const scores = judged.map(({ min, reach, reading, comparison, ...score }) => ({
        ...score,
        former: comparison?.rescored ?? comparison?.stored,
        notes: [
          ...(conditions.maxDrop === undefined ? [] : [comparisonText(comparison)]),
          ...(reach && min !== undefined ? reachLines(reach, min, reading).map((line) => line.trim()) : []),
        ],
      }));
      const title = isMet ? "gate met" : "gate not met";
      const told = { title, target: place, scores, standing, verdicts, ...(app && { app: appText(app) }) };
      await writeSummary(told, flags, context, output);
    }
    output.result({
      ...(conditions.min !== undefined && { min: conditions.min }),
      ...(conditions.maxDrop !== undefined && { max_drop: conditions.maxDrop }),
      ...(app && { app: { min: conditions.appMin, score: app.before ?? null, score_with: app.after ?? null } }),
      met: isMet,
      ...(conditions.noNewProblems && { new_problems: newProblems }),
      ...(faults.length > 0 && { faults }),
      scores: judged.map(({ min, reading, reach, comparison, ...score }) => ({
        ...score,
        ...(min !== undefined && { min }),
        met: isPassing(conditions, { ...score, comparison }),
        ...(conditions.maxDrop !== undefined && { comparison: comparison ?? null }),
        ...(reach && { reach }),
        ...(reading && { report: summaryOf(reading) }),
      })),
    });
    if (faults.length > 0) return exitCodes.wrongUse;
    return isMet ? exitCodes.done : exitCodes.gateNotMet;
  },
};

/** The types of problems that were found and are not open already. */
async function newProblemsOf(
  problems: readonly FoundProblem[],
  target: Target,
  client: Client<AnySubmission>,
): Promise<string[]> {
  const found = problems.filter(({ found: { count } }) => count > 0).map(({ found }) => found.problem_type);
  if (found.length === 0) return [];
  const open = new Set((await client.problems(target).toArray()).map(({ problem_type: type }) => type));
  return found.filter((type) => !open.has(type));
}
