import type { App, Scorecard, StoredProblem, Waiver } from "@maturity/client";
import { duration } from "@maturity/command-line/duration";
import type { Output } from "@maturity/command-line/output";
import { shareText } from "@maturity/command-line/score-text";
import { numbers, showTable } from "@maturity/command-line/table";
import { printable } from "@maturity/command-line/terminal";
import { noScoreCause } from "@maturity/gate/words";
import { metricText } from "@maturity/report-files/metric-name";
import { type GainingMetric, gainingMetrics, type MetricDetail, pointsText } from "@maturity/run-summary/points";
import { showProblem } from "../show-problem.ts";
import { scored } from "./lists.ts";
import { showGain, showMetrics } from "./show-gain.ts";
import { waivedText } from "./waivers.ts";
import { age, headingOf, scorePaint } from "./words.ts";

/** Said of a thin score. */
export const thinText = "a thin score: a quarter of the weight reported, or less";

/** How many metrics are shown with their reasons. */
const maxReasoned = 5;

/** Prints what an application scores, why, and what would help most. */
export function showApp(
  app: App,
  scorecards: readonly Scorecard[],
  { all, gain, asOf }: { readonly all: boolean; readonly gain: boolean; readonly asOf: string },
  output: Output,
): void {
  output.line(headingOf([app.area, app.team, app.app, app.env ?? "-"], app, output));
  const waived = app.waived > 0 ? `, waived ${shareText(app.waived)}` : "";
  const exempt = app.exempt > 0 ? `, exempt ${shareText(app.exempt)}` : ""; // an older service does not send it
  if (app.score === null) output.line(`${noScoreCause(app, app.oldest_reported_at !== null)}, so it has no score`);
  output.line(`reported ${shareText(app.reported)}, fresh ${shareText(app.fresh)}${waived}${exempt}`);
  if (app.thin) output.line(thinText);
  if (app.level) {
    const { name, next } = app.level;
    const now = name === null ? "no level" : `level ${name}`;
    output.paragraph(next ? `${now}: ${next.unmet}` : now);
  }
  if (app.repo) output.line(printable(app.repo));
  showScorecards(app, scorecards, output);
  const most = all ? Number.POSITIVE_INFINITY : maxReasoned;
  if (gain) {
    showGain(app, most, output);
  } else {
    showCosts(gainingMetrics(app), most, asOf, output);
    showMissing(app, output);
  }
  showAging(app.metrics ?? [], scorecards, asOf, output);
}

function showScorecards(
  { scorecards: rolled, unscored_scorecards: unscored = [] }: App, // an older service does not send the latter
  scorecards: readonly Scorecard[],
  output: Output,
): void {
  const rows = scorecards.map(({ scorecard, weight }) => {
    const mean = rolled.find((one) => one.scorecard === scorecard);
    const { waived = 0, exempt = 0 } = mean ?? unscored.find((one) => one.scorecard === scorecard) ?? {};
    const { score = null, reported = 0, fresh = 0 } = mean ?? {};
    return { scorecard, weight, score, reported, fresh, waived, exempt };
  });
  // A sum of shares may miss 1.
  const share = ({ waived, exempt }: (typeof rows)[number], of: number) =>
    waived + exempt > 1 - 1e-9 ? "-" : shareText(of);
  output.line("");
  showTable<(typeof rows)[number]>(
    [
      { title: "scorecard", text: ({ scorecard }) => scorecard },
      ...scored<(typeof rows)[number]>(output),
      numbers("weight", ({ weight }) => String(weight)),
      numbers("reported", (row) => share(row, row.reported)),
      numbers("fresh", (row) => share(row, row.fresh)),
      numbers("waived", ({ waived }) => (waived > 0 ? shareText(waived) : ""), { isOptional: true }),
      numbers("exempt", ({ exempt }) => (exempt > 0 ? shareText(exempt) : ""), { isOptional: true }),
    ],
    rows,
    output,
  );
}

function showCosts(costly: readonly GainingMetric[], most: number, asOf: string, output: Output): void {
  const { colors } = output;
  showMetrics("What keeps it from 100, the most first", costly, most, "--all shows why", output, (metric) => {
    const { score, state, reasons, gain } = metric;
    const name = colors.bold(`${printable(metricText(metric))} ${scorePaint(score, output)(String(score))}`);
    const when = whenText(metric, asOf);
    const old = state === "fresh" ? "" : `, ${printable(state)}`;
    return [
      `${name} costs ${pointsText(gain.app_gain)}${colors.dim(when + old)}`,
      ...(reasons?.map(({ text }) => text) ?? [
        "the rules of this score are no longer installed: report it again to learn why",
      ]),
    ];
  });
}

/** When it was reported, and when it was measured if that is more than an hour before. */
function whenText({ measured_at, reported_at }: MetricDetail, asOf: string): string {
  if (reported_at === undefined) return "";
  const arrived = `reported ${age(reported_at, asOf)} ago`;
  const isApart = measured_at !== undefined && Date.parse(reported_at) - Date.parse(measured_at) > 3_600_000;
  return isApart ? `, measured ${age(measured_at, asOf)} ago, ${arrived}` : `, ${arrived}`;
}

function showMissing({ metrics = [], reported }: App, output: Output): void {
  const missing = metrics.filter(({ state }) => state === "missing");
  if (missing.length === 0) return;
  output.line("");
  const count = `${missing.length} of ${metrics.length} metrics, ${shareText(1 - reported)} of the weight`;
  output.line(output.colors.bold(`Never reported: ${count}`));
  output.paragraph(missing.map(metricText).join(", "), "  ");
}

function showAging(
  metrics: readonly MetricDetail[],
  scorecards: readonly Scorecard[],
  asOf: string,
  output: Output,
): void {
  const aging = metrics.filter(({ state }) => state === "stale" || state === "late");
  if (aging.length === 0) return;
  output.section("Older than the metric allows");
  for (const metric of aging) {
    const { metrics } = scorecards.find(({ scorecard }) => scorecard === metric.scorecard) ?? { metrics: [] };
    const hours = metrics.find((one) => one.metric === metric.metric)?.max_age_hours;
    const allowed = hours ? `, may be ${duration(hours * 3_600_000)}` : "";
    const measured = metric.measured_at ?? metric.reported_at;
    const old = measured === undefined ? "" : ` ${age(measured, asOf)} old`;
    output.line(`  ${printable(metricText(metric))}: ${printable(metric.state)},${old}${allowed}`);
  }
}

/** Prints what is waived of an application, why, by whom and until when. */
export function showWaivers(waivers: readonly Waiver[], output: Output): void {
  if (waivers.length === 0) return;
  output.section("Waived");
  for (const waiver of waivers) {
    const { expires_at: end, reason, owner } = waiver;
    const until = end === null ? "until it is revoked" : `until ${end.slice(0, 10)}`;
    const text = `${waivedText(waiver)} ${until}, by ${owner}: ${reason}`;
    output.paragraph(text, "  ");
  }
}

/** Prints the open problems of an application. */
export function showProblems(problems: readonly StoredProblem[], asOf: string, output: Output): void {
  if (problems.length === 0) return;
  output.section("Open problems, the gravest first");
  for (const problem of problems) {
    showProblem(problem, output);
    if (problem.opened_at) output.line(output.colors.dim(`  open for ${age(problem.opened_at, asOf)}`));
  }
}
