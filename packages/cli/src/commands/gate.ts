import type { InputChange, Reach } from "@maturity/core";
import { addExamples, addScorecardFlags, type CommandModule, collect } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../output.ts";
import { readResults } from "../raw-results.ts";
import { type MergedReading, summaryOf, tellReadings } from "../readings.ts";
import { assumeOption, formatOption, severityOption } from "../report-formats.ts";
import { createScorer } from "../scoring.ts";
import { resolveSettings, scorecardPackages } from "../settings.ts";
import { findSettingsFile } from "../settings-file.ts";
import { showScore } from "../show-score.ts";
import { printable } from "../terminal.ts";
import { tellUnsent } from "../unsent.ts";
import { UsageError } from "../usage-error.ts";

/** `maturity gate`: computes scores on this machine, and fails if one is below a minimum. */
export const gate: CommandModule = {
  define(command) {
    command
      .description(
        "Scores reports or values on this machine and ends with 1 where a score is below the minimum, saying what " +
          "would reach it. Nothing is sent.",
      )
      .argument("[files...]", "reports: paths, patterns, - for standard input")
      .requiredOption("--min <score>", "the lowest score that passes, 0 to 100")
      .option(
        "-m, --metric <name>",
        "what it measures: image_scan, or cost.budget of a scorecard of your own; needed where the tool is not made for one",
      )
      .option("-r, --raw <name=value>", "a value by hand; may stand several times, also beside a report", collect)
      .addOption(formatOption())
      .addOption(assumeOption())
      .addOption(severityOption());
    addScorecardFlags(command);
    addExamples(command, [
      ["no merge below 80", "maturity gate --min 80 --metric unit_coverage coverage/lcov.info"],
      ["no release with grave vulnerabilities", "maturity gate --min 50 trivy.json"],
    ]);
  },

  async run(args, flags, context, output) {
    const minimum = Number(flags.min);
    if (!(minimum >= 0 && minimum <= 100) || flags.min === "") throw new UsageError("--min must be from 0 to 100");
    const settings = resolveSettings(flags, context.env, await findSettingsFile(context.cwd));
    const { findReach } = await import("@maturity/core");
    const verdicts: object[] = [];
    let isMet = true;
    for (const { scorecard, metric, raw, reading } of await readResults(args, flags, context)) {
      if (reading) tellReadings([reading], output);
      if (reading) tellUnsent(reading.unsent, "gate", flags, output);
      const engine = await createScorer(scorecard, scorecardPackages(settings), context.cwd);
      const score = engine.score(scorecard, metric, raw);
      const met = score.score >= minimum;
      const reach = met ? undefined : findReach(engine, scorecard, metric, raw, minimum);
      isMet &&= met;
      showScore({ metric, ...score }, output);
      if (reach) showReach(reach, minimum, reading, output);
      const report = reading && summaryOf(reading);
      verdicts.push({
        scorecard,
        metric,
        ...score,
        raw,
        met,
        ...(reach && { reach }),
        ...(report && { report }),
      });
    }
    output.line(
      isMet ? output.colors.green(`at least ${minimum}: met`) : output.colors.red(`at least ${minimum}: not met`),
    );
    output.result({ min: minimum, met: isMet, scores: verdicts });
    return isMet ? exitCodes.done : exitCodes.gateNotMet;
  },
};

function showReach(
  { alone, together, best }: Reach,
  minimum: number,
  reading: MergedReading | undefined,
  output: Output,
): void {
  const changes = alone.length > 0 ? alone : together;
  if (changes.length === 0) {
    const known = best > 0 ? `; the best it can get by these values is ${best}` : "";
    output.line(`  the metric does not say what would reach ${minimum}${known}`);
    return;
  }
  const how = changes.length === 1 ? "" : alone.length > 0 ? ", any one of" : ", all of";
  output.line(`  to reach ${minimum}${how}:`);
  for (const change of changes) output.line(`    ${inWords(change)}${inLines(change, reading)}`);
}

function inWords({ field, from, to, direction }: InputChange): string {
  const isEnd = typeof to === "boolean" || to === 0 || to === 100;
  const bound = isEnd ? String(to) : `${direction === "lower" ? "at most" : "at least"} ${to}`;
  return `${printable(field)}: ${rounded(from)} → ${bound}`;
}

function rounded(value: number | boolean): string {
  return typeof value === "number" ? String(Number(value.toFixed(4))) : String(value);
}

/** For a percentage of coverage: how many more lines must be covered. Empty for anything else. */
function inLines({ field, to }: InputChange, reading: MergedReading | undefined): string {
  const coverage = reading?.coverage;
  if (field !== "coverage_pct" || !coverage || typeof to !== "number") return "";
  const { covered, total, unit } = coverage;
  const more = Math.ceil((total * to) / 100 - 1e-9) - covered;
  return ` (${more} more of the ${total} ${unit})`;
}
