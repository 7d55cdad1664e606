import type { Engine, Target } from "@maturity/core";
import type { AppChange } from "../history/changes.ts";
import { slice } from "../http/slices.ts";
import { idBy } from "../rollups/groups.ts";
import { type App, metricNames } from "../rollups/organisation.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import { inLines, separator } from "../store/text-rows.ts";
import { midnight } from "../store/utc.ts";

/** An application whose score is better or worse than then. */
export interface Moved extends Target {
  readonly from: number;
  readonly to: number;
  readonly causes: NonNullable<AppChange["causes"]>;
  /** Its metrics that moved the same way, the one that moves the application most first. */
  readonly metrics: readonly MovedMetric[];
}

/** A metric, as `scorecard.metric`, whose score has changed. */
export interface MovedMetric {
  readonly metric: string;
  /** Null if it had not been reported then. */
  readonly from: number | null;
  readonly to: number;
}

/** The smallest change of an application's score that is told, in points. */
export const noticeable = 0.5;

interface MoveSources {
  readonly since: string;
  readonly apps: readonly App[];
  readonly changes: readonly AppChange[];
}

/** Finds the applications that moved noticeably since a day, and the metrics that moved them. */
export async function readMoved(
  database: Database,
  engine: Engine,
  { since, apps, changes }: MoveSources,
): Promise<Moved[]> {
  const scoreIdsOf = new Map<string, App["scoreIds"]>();
  for (const app of apps) {
    await slice();
    scoreIdsOf.set(app.id, app.scoreIds);
  }
  const told: Told[] = [];
  for (const { score_since, score, change, causes, ...target } of changes) {
    await slice();
    const scoreIds = scoreIdsOf.get(idOf(target));
    if (!scoreIds || !causes || score_since === null || change === null || Math.abs(change) < noticeable) continue;
    told.push({ scoreIds, moved: { ...target, from: score_since, to: score, causes } });
  }
  const changed = await readMetricChanges(database, since, told);
  const names = metricNames(engine);
  const shares = sharesOf(engine);
  const moved: Moved[] = [];
  for (const { scoreIds, moved: one } of told) {
    await slice();
    const effect = ({ place, from, to }: { place: number; from: number | null; to: number }) =>
      ((to - (from ?? one.from)) * (shares[place] ?? 0)) / Math.sign(one.to - one.from);
    const metrics = scoreIds
      .flatMap((id, place) => {
        const change = id === undefined ? undefined : changed.get(id);
        return change ? [{ place, metric: names[place] ?? "", ...change }] : [];
      })
      .filter((metric) => effect(metric) > 0)
      .sort((a, b) => effect(b) - effect(a))
      .map(({ metric, from, to }) => ({ metric, from, to }));
    moved.push({ ...one, metrics });
  }
  return moved;
}

/** An application that moved noticeably, and the ids of its scores. */
interface Told extends Pick<App, "scoreIds"> {
  readonly moved: Omit<Moved, "metrics">;
}

/** The names of an application in one text. */
export const idOf: (target: Target) => string = idBy(["area", "team", "app", "env"]);

/** The share of each metric in the score of an application that reports all, in the order of the scorecards. */
function sharesOf({ scorecards }: Engine): number[] {
  return scorecards.flatMap(({ weight, metrics }) => {
    const total = metrics.reduce((sum, metric) => sum + metric.weight, 0);
    return metrics.map((metric) => (weight * metric.weight) / total);
  });
}

/** What became of a score since a day; null if it had not been reported then. */
interface MetricChange {
  readonly from: number | null;
  readonly to: number;
}

/** With no more applications than these, the changes of their scores are looked up; otherwise all changes are read. */
const fewApps = 300;

/** How the scores of these applications, and maybe others, have changed since a day, by id; those that have not are left out. */
async function readMetricChanges(
  database: Database,
  day: string,
  told: readonly Pick<App, "scoreIds">[],
): Promise<ReadonlyMap<number, MetricChange>> {
  const found = new Map<number, MetricChange>();
  if (told.length === 0) return found;
  const ids = told.flatMap(({ scoreIds }) => (told.length > fewApps ? [] : scoreIds.filter((id) => id !== undefined)));
  const select = `
    SELECT score_id, (array_agg(former ORDER BY at))[1], (array_agg(score ORDER BY at DESC))[1]
    FROM score_changes
    WHERE at > ${midnight(day)} ${ids.length > 0 ? `AND score_id = ANY ('{${ids}}')` : ""}
    GROUP BY score_id`;
  await readSnapshot(database, database.reads, async (lines) => {
    for await (const rows of inLines(lines(select))) {
      await slice();
      for (const row of rows) {
        const [id, former, score] = row.split(separator);
        const change = { from: former ? Number(former) : null, to: Number(score) };
        if (change.from !== change.to) found.set(Number(id), change);
      }
    }
  });
  return found;
}
