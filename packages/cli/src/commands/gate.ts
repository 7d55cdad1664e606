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
import { conditionsOf } from "../gate/conditions.ts";
import { appText, comparisonText, reachLines, showReach, showVerdicts, verdictsOf } from "../gate/show.ts";
import { appScoresWith, askStored, compare } from "../gate/stored.ts";
import { readResults } from "../raw-results.ts";
import { summaryOf, tellReadings } from "../readings.ts";
import { assumeOption, formatOption, severityOption } from "../report-formats.ts";
import { createScorer } from "../scoring.ts";
import { knownTarget, requireTarget, requireUrl, resolveSettings, scorecardPackages } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { showScore } from "../show-score.ts";
import { addSummaryFlags, wantsSummary, writeSummary } from "../summary/write.ts";
import { printable } from "../terminal.ts";
import { tellUnsent } from "../unsent.ts";

/** `maturity gate`: computes scores on this machine, and fails if one is too low, or worse than the stored one. */
export const gate: CommandModule = {
  define(command) {
    command
      .description(
        "Scores reports or values on this machine and ends with 1 where a score is too low, saying what would reach it, " +
          "or worse than the stored one, saying which value made it so. Nothing is sent.",
      )
      .argument("[files...]", "reports: paths, patterns, - for standard input")
      .option("--min <score>", "the lowest score that passes, 0 to 100")
      .option("--no-worse", "no score may be below the stored one; passes where nothing is stored yet")
      .option("--max-drop <points>", "how many points a score may be below the stored one")
      .option("--app-min <score>", "the lowest score of the application that passes, as it would be with this result")
      .option(
        "-m, --metric <name>",
        "what it measures: image_scan, or cost.budget of a scorecard of your own; needed where the tool is not made for one",
      )
      .option("-r, --raw <name=value>", "a value by hand; may stand several times, also beside a report", collect)
      .addOption(formatOption())
      .addOption(assumeOption())
      .addOption(severityOption());
    addSummaryFlags(command);
    addScorecardFlags(command);
    addTargetFlags(command);
    addServiceFlags(command);
    addExamples(command, [
      ["no merge below 80", "maturity gate --min 80 --metric unit_coverage coverage/lcov.info"],
      ["no release with grave vulnerabilities", "maturity gate --min 50 trivy.json"],
      ["no merge that lowers the stored score", "maturity gate --no-worse trivy.json"],
      ["no merge that brings the application below 70", "maturity gate --app-min 70 trivy.json"],
    ]);
  },

  async run(args, flags, context, output) {
    const conditions = conditionsOf(flags);
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const asks = conditions.maxDrop !== undefined || conditions.appMin !== undefined;
    if (asks) requireUrl(settings);
    const target = asks ? requireTarget(settings) : undefined;
    const results = await readResults(args, flags, context);
    for (const { reading } of results) {
      if (reading) tellReadings([reading], output);
      if (reading) tellUnsent(reading.unsent, "gate", flags, output);
    }
    const { findReach } = await import("@maturity/core");
    const scored = [];
    for (const result of results) {
      const engine = await createScorer(result.scorecard, scorecardPackages(settings), context.cwd);
      scored.push({ ...result, engine, ...engine.score(result.scorecard, result.metric, result.raw) });
    }
    const client = asks ? await connect(settings, flags, context, output) : undefined;
    const stored = client && target && (await askStored(client, target));
    const app = stored && conditions.appMin !== undefined ? await appScoresWith(scored, stored) : undefined;
    const judged = scored.map(({ engine, reading, reasons, ...score }) => {
      const { min } = conditions;
      const comparison = stored && conditions.maxDrop !== undefined && compare({ ...score, reasons }, engine, stored);
      const reach =
        min === undefined || score.score >= min
          ? undefined
          : findReach(engine, score.scorecard, score.metric, score.raw, min);
      return { ...score, reasons, reading, reach, comparison: comparison || undefined };
    });
    for (const { reach, reading, comparison, ...score } of judged) {
      showScore(score, output);
      if (conditions.maxDrop !== undefined) output.line(`  ${printable(comparisonText(comparison))}`);
      if (reach && conditions.min !== undefined) showReach(reach, conditions.min, reading, output);
    }
    if (app) output.line(appText(app));
    const verdicts = verdictsOf(conditions, judged, app);
    showVerdicts(verdicts, output);
    const { appMin: _, ...ofScores } = conditions;
    const isMet = verdicts.every(({ met }) => met);
    if (wantsSummary(flags, context)) {
      const place = stored?.target ?? knownTarget(settings);
      const standing = stored && client && (await askStanding(client, requireUrl(settings), stored.target, context));
      const scores = judged.map(({ reach, reading, comparison, ...score }) => ({
        ...score,
        former: comparison?.rescored ?? comparison?.stored,
        notes: [
          ...(conditions.maxDrop === undefined ? [] : [comparisonText(comparison)]),
          ...(reach && conditions.min !== undefined
            ? reachLines(reach, conditions.min, reading).map((line) => line.trim())
            : []),
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
      scores: judged.map(({ reading, reach, comparison, ...score }) => ({
        ...score,
        met: verdictsOf(ofScores, [{ ...score, comparison }], undefined).every(({ met }) => met),
        ...(conditions.maxDrop !== undefined && { comparison: comparison ?? null }),
        ...(reach && { reach }),
        ...(reading && { report: summaryOf(reading) }),
      })),
    });
    return isMet ? exitCodes.done : exitCodes.gateNotMet;
  },
};
