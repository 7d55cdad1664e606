import type { Target, WeighedScorecard } from "@maturity/core";
import type { Lines } from "../store/lines.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import { readRows, separator } from "../store/text-rows.ts";
import { idBy } from "./groups.ts";
import { createNumberedScores, type MetricScores } from "./metric-scores.ts";

/** The stored results of one application in one environment. */
export interface StoredApp extends Target {
  /** Its names in one text. */
  readonly id: string;
  readonly target: number;
  readonly metricScores: MetricScores;
  /** A repository named by one of its submissions. */
  readonly repo: string | null;
}

/**
 * Reads the applications with a score of an installed metric that are neither retired nor held, and the names of those that
 * are held, in each environment in which they reported. Scores are read by ids, which are faster to parse than names. A GROUP
 * BY would take the database longer than sending every row.
 *
 * @param which a condition in SQL on the names of the applications
 */
export async function readReportedApps(
  lines: Lines,
  { scorecards }: { readonly scorecards: readonly WeighedScorecard[] },
  which: string,
): Promise<{ readonly apps: readonly StoredApp[]; readonly held: readonly ReturnType<typeof namesOf>[] }> {
  const metrics = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => name + separator + metric.name));
  const indexes = new Map<number, number>();
  for await (const rows of readRows(lines("SELECT id, scorecard, metric FROM metrics"))) {
    for (const [id, ...names] of rows) {
      const index = metrics.indexOf(names.join(separator));
      if (index !== -1) indexes.set(Number(id), index);
    }
  }
  const noScores = createNumberedScores(metrics.length);
  const scores = new Map<number, { metricScores: ReturnType<typeof noScores>; repo: string | null }>();
  const where = which === "true" ? "" : `WHERE target_id IN (SELECT id FROM (${targets(which)}) AS wanted)`;
  const take = (target: number, metric: number, score: number, time: number, repo: string) => {
    const index = indexes.get(metric);
    if (index === undefined) return;
    let stored = scores.get(target);
    if (!stored) {
      stored = { metricScores: noScores(), repo: null };
      scores.set(target, stored);
    }
    stored.metricScores.set(index, score, time);
    if (repo) stored.repo = repo;
  };
  const columns = "target_id, metric_id, score, coalesce(measured_at, reported_at), project_repo";
  await lines.scores(`SELECT ${columns} FROM scores ${where}`, take, yieldToEventLoop);
  const [apps, held]: [StoredApp[], ReturnType<typeof namesOf>[]] = [[], []];
  for await (const rows of readRows(lines(targets(which)))) {
    await yieldToEventLoop();
    for (const [id, heldSince, ...names] of rows) {
      const target = Number(id);
      const stored = scores.get(target);
      if (heldSince) held.push(namesOf(names.join(separator)));
      else if (stored) {
        const [area = "", team = "", app = "", env = ""] = names;
        const { metricScores, repo } = stored;
        apps.push({ id: names.join(separator), area, team, app, env, target, metricScores, repo });
      }
    }
  }
  return { apps, held };
}

const targets = (which: string) => `
  SELECT targets.id, held_since, area, team, app, env FROM targets JOIN applications ON applications.id = application_id
  WHERE applications.retired_at IS NULL AND targets.retired_at IS NULL AND ${which}`;

/** Writes the names of an application and its environment as one text, which `namesOf` parses. */
export const targetId: (target: Target) => string = idBy(["area", "team", "app", "env"]);

/** Parses the names of an application from one text. */
export function namesOf(id: string): Target & { readonly id: string } {
  const [area = "", team = "", app = "", env = ""] = id.split(separator);
  return { id, area, team, app, env };
}
