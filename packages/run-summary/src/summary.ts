import { scoreText, shareText } from "@maturity/command-line/score-text";
import type { Target } from "@maturity/core";
import { type MetricName, metricText } from "@maturity/report-files/metric-name";
import { code, link, sentence } from "./markdown.ts";
import { bestStep, gainingMetrics, type MetricDetail, missingMetrics, pointsText, stepText } from "./points.ts";
import { noScore, type Standing } from "./standing.ts";

/** A score of a summary. */
export interface SummaryScore extends MetricName {
  readonly score: number;
  /** The score before, as far as it is known. */
  readonly former?: number | undefined;
  readonly reasons: readonly { readonly text: string }[];
  /** What made the score another one than before, and what would reach the minimum. */
  readonly notes?: readonly string[];
}

/** What a command shows on the page of a pipeline run. */
export interface Summary {
  /** What happened: `results stored`, `gate not met`. */
  readonly title: string;
  readonly target: Partial<Target>;
  readonly scores: readonly SummaryScore[];
  readonly standing?: Standing | undefined;
  /** Conditions and whether each holds. */
  readonly verdicts?: readonly { readonly text: string; readonly met: boolean }[];
  /** Lines about the application. */
  readonly app?: string | undefined;
  /** What else happened: problems with their findings, queries. */
  readonly lines?: readonly string[];
}

/** How much of a summary is shown. */
export interface Extent {
  /** How many scores, verdicts and reasons. GitHub takes a megabyte for a step, so that a summary has an end. */
  readonly most: number;
  /** Whether the reasons are shown only to readers that open them. */
  readonly isFolded: boolean;
}

const maxFixes = 5;

type App = NonNullable<Standing["app"]>;

/** The summary in Markdown, as GitHub and GitLab show it. Whatever comes from names, reports or answers is letters in it, no markup. */
export function summaryMarkdown(
  { title, target, scores, standing, verdicts = [], app, lines = [] }: Summary,
  { most, isFolded }: Extent = { most: 50, isFolded: false },
): string {
  const reasons = scores.slice(0, most).map(why);
  const place = Object.values(target).map(code).join(" / ");
  const board = standing?.board && link("the Board", standing.board);
  const where = [place, board].filter(Boolean).join(", see ");
  const blocks = [
    `### Maturity: ${title}`,
    where,
    cut(verdicts, most, ({ text, met }) => `${met ? "✅" : "❌"} ${sentence(text)}: ${met ? "met" : "not met"}`),
    table(scores, most),
    cut(lines, 2 * most, sentence),
    app ?? "",
    ...(isFolded && reasons.length > 0 ? ["<details><summary>Why</summary>", ...reasons, "</details>"] : reasons),
    standing?.app ? fixes(standing.app, scores) : "",
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n\n`;
}

/** A list, and how many items of it are left out. */
function cut<Item>(items: readonly Item[], most: number, textOf: (item: Item) => string): string {
  const shown = items.slice(0, most).map((item) => `- ${textOf(item)}`);
  return [...shown, ...(items.length > most ? [`- and ${items.length - most} more`] : [])].join("\n");
}

function table(scores: readonly SummaryScore[], most: number): string {
  if (scores.length === 0) return "";
  const rows = scores.slice(0, most).map(({ score, former, ...name }) => {
    const change = former === undefined ? "" : signed(score - former);
    return `| ${code(metricText(name))} | ${former ?? ""} | ${score} | ${change} |`;
  });
  const more = scores.length > most ? `\n\nand ${scores.length - most} more` : "";
  return ["| metric | before | score | change |", "|:--|--:|--:|--:|", ...rows].join("\n") + more;
}

function signed(difference: number): string {
  const text = String(Number(difference.toFixed(2)));
  return difference > 0 ? `+${text}` : text.replace("-", "−");
}

function why({ reasons, notes = [], ...name }: SummaryScore): string {
  const lines = [...reasons.map(({ text }) => sentence(text)), ...notes.map(sentence)];
  return [`**${code(metricText(name))}**`, "", ...lines.map((line) => `- ${line}`)].join("\n");
}

/** Scores are given with two decimals. */
const tolerance = 0.01;

/**
 * The metrics of an application with the scores of this run, which a gate does not store. What one gains shrinks as its
 * score rises. Unknown is what another step gains then, and what one gains that had nothing to gain before.
 */
function metricsWith({ metrics = [] }: App, scores: readonly SummaryScore[]): MetricDetail[] {
  return metrics.map((stored) => {
    const now = scores.find(({ scorecard, metric }) => stored.scorecard === scorecard && stored.metric === metric);
    if (!now || Math.abs(now.score - (stored.score ?? -1)) < tolerance) return stored;
    const { gain, score, reported_gain: _, ...metric } = stored;
    if (!gain || score === undefined || now.score >= 100) return { ...metric, score: now.score };
    const rest = (100 - now.score) / (100 - score);
    return { ...metric, score: now.score, gain: { ...gain, app_gain: gain.app_gain * rest, steps: [] } };
  });
}

function fixes(stored: App, scores: readonly SummaryScore[]): string {
  const app = { ...stored, metrics: metricsWith(stored, scores) };
  const isOther = app.metrics.some((metric, index) => metric !== stored.metrics?.[index]);
  const gaining = gainingMetrics(app);
  const missing = missingMetrics(app);
  const next = bestStep(app);
  const lines = [
    ...gaining
      .slice(0, maxFixes)
      .map(
        ({ score, gain, ...name }) => `- ${code(metricText(name))} ${score} → 100 gains ${pointsText(gain.app_gain)}`,
      ),
    ...(next
      ? [
          `- the next step that gains most: ${code(`${metricText(next.metric)} ${stepText(next.step)}`)}, ${pointsText(next.step.app_gain)}`,
        ]
      : []),
    ...(missing.length > 0
      ? [
          `- never reported: ${missing
            .slice(0, maxFixes)
            .map((metric) => `${code(metricText(metric))} (${shareText(metric.reported_gain)} of the weight)`)
            .join(", ")}${missing.length > maxFixes ? ` and ${missing.length - maxFixes} more` : ""}`,
        ]
      : []),
  ];
  const head =
    app.score === null
      ? `The application ${noScore(app)}.`
      : `The application scores **${scoreText(app.score)}**${isOther ? " as stored," : ""} with ${shareText(app.reported)} of the weight reported.`;
  return lines.length === 0 ? head : [head, "", "What to fix first:", "", ...lines].join("\n");
}
