import type { AnySubmission, App, Client } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { scoreText } from "@maturity/command-line/score-text";
import { printable } from "@maturity/command-line/terminal";
import type { Target } from "@maturity/core";
import { noScoreCause } from "@maturity/gate/words";
import { type MetricName, metricText } from "@maturity/report-files/metric-name";
import { bestStep, type GainingMetric, gainingMetrics, pointsText, type Step, stepText } from "./points.ts";

/** How an application stands once its results are stored. */
export interface Standing {
  /** With its metrics. Undefined where the token cannot read, or the service does not answer in time. */
  readonly app?: App;
  /** Does the service show no score of it, as of a new application? */
  readonly isComing?: boolean;
  /** Where people look at it. Undefined where the service has no Board. */
  readonly board?: string;
}

/** How long the command waits for what it prints beside the result, in milliseconds. */
const patienceMs = 5_000;

/** Asks how an application stands. Whatever goes wrong leaves something out, since the results are stored already. */
export async function askStanding(
  client: Pick<Client<AnySubmission>, "apps">,
  url: string,
  target: Target,
  { fetch }: { readonly fetch: (request: Request) => Promise<Response> },
): Promise<Standing> {
  const signal = AbortSignal.timeout(patienceMs);
  const address = boardAddress(url, target);
  const [{ app, isComing }, board] = await Promise.all([
    client
      .apps({ ...target, detail: true, limit: 1 }, { signal })
      .page()
      .then(({ items: [one] }) => ({ app: one?.metrics && one, isComing: !one }))
      .catch(() => ({ app: undefined, isComing: false })),
    fetch(new Request(new URL("?", address), { method: "HEAD", signal }))
      // A person can log in there by a browser.
      .then(({ ok, status }) => (ok || status === 401 || status === 403 ? address : undefined))
      .catch(() => undefined),
  ]);
  return { ...(app && { app }), ...(isComing && { isComing }), ...(board && { board }) };
}

/**
 * Asks what is stored of an application, to show by how much each score changes.
 *
 * @returns the stored score of a metric; undefined for all of them if the service does not answer
 */
export async function askFormer(
  client: Pick<Client<AnySubmission>, "scores">,
  target: Target,
): Promise<(name: MetricName) => number | undefined> {
  const { items } = await client
    .scores({ ...target, limit: 1_000 }, { signal: AbortSignal.timeout(patienceMs) })
    .page()
    .catch(() => ({ items: [] }));
  return ({ scorecard, metric }) => items.find((one) => one.scorecard === scorecard && one.metric === metric)?.score;
}

/** The address of an application on the Board, which stands below the address of the service. Never with credentials. */
export function boardAddress(url: string, { env, area, team, app }: Target): string {
  const [bare = ""] = url.split(/[?#]/, 1);
  const address = new URL(`${bare.replace(/\/+$/, "")}/board/`);
  address.username = "";
  address.password = "";
  address.search = String(new URLSearchParams({ env, area, team, app }));
  return address.href;
}

/** What to fix first: the metric by which the application gains most, and the one value that raises it most. */
export interface FixFirst {
  readonly metric: GainingMetric;
  /** Undefined where it is all that the metric takes to score 100, or where no value alone raises anything. */
  readonly next: { readonly metric: GainingMetric; readonly step: Step } | undefined;
}

/** What to fix first of an application; undefined if everything that reported scores 100. */
function fixFirst(app: App): FixFirst | undefined {
  const [metric] = gainingMetrics(app);
  if (!metric) return undefined;
  const next = bestStep(app);
  return { metric, next: next?.metric === metric && next.step.score === 100 ? undefined : next };
}

function gainText({ score, gain, ...name }: GainingMetric): string {
  return `${metricText(name)} ${score} → 100 gains ${pointsText(gain.app_gain)}`;
}

/** That an application has no score, and why. */
export function noScore(app: App): string {
  return `has no score, since ${noScoreCause(app, app.oldest_reported_at !== null)}`;
}

/** Prints how an application stands, what to fix first, and where to look. */
export function showStanding({ app, isComing, board }: Standing, output: Output): void {
  const first = app && fixFirst(app);
  if (isComing) output.line("a new application has its score within 15 seconds");
  if (app) {
    const now = `the application ${app.score === null ? noScore(app) : `scores ${scoreText(app.score)}`}`;
    output.line(first ? `${now}; fix first: ${printable(gainText(first.metric))}` : now);
  }
  if (first?.next) {
    const { metric, step } = first.next;
    const what = printable(`${metricText(metric)} ${stepText(step)}`);
    output.line(`next step: ${what} gains ${pointsText(step.app_gain)}`);
  }
  if (board) output.line(output.colors.dim(printable(board)));
}

/** The same for programs. */
export function standingJson({ app, board }: Standing): object {
  const first = app && fixFirst(app);
  const named = ({ scorecard, metric, score }: GainingMetric) => ({ scorecard, metric, score });
  return {
    ...(app && {
      app: {
        score: app.score,
        fix_first: first ? { ...named(first.metric), app_gain: first.metric.gain.app_gain } : null,
        next_step: first?.next ? { ...named(first.next.metric), ...first.next.step } : null,
      },
    }),
    ...(board && { board }),
  };
}
