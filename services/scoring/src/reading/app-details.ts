import {
  type AppScore,
  coversTarget,
  type Engine,
  eachGain,
  type Freshness,
  freshness,
  type Reason,
  rollUpApp,
  type ScoredRaw,
  type Target,
  waivedMetrics,
} from "@maturity/core";
import { slice } from "../http/slices.ts";
import { itemFields } from "../lists/items.ts";
import type { Page } from "../lists/list.ts";
import { waiverFields } from "../lists/waiver-schema.ts";
import { type Json, object } from "../openapi/operation.ts";
import type { createLevelFinder } from "../rollups/app-levels.ts";
import type { App } from "../rollups/organisation.ts";
import type { OwnScorecards } from "../rollups/scorecards.ts";
import { waivedUnscored } from "../rollups/waivers.ts";
import type { Database } from "../store/database.ts";
import { storeError } from "../store/failures.ts";
import type { StoredWaiver } from "../store/waivers.ts";
import { gainFields, type ShownGain, showGain } from "./gain.ts";
import { type Rescored, reasonsOf, reasonsSchema, rescoredOf } from "./reasons.ts";
import { namesIn, readScoreWaivers } from "./score-waivers.ts";

/** Most bytes of raw results in a page. An application is shown whole, so a single one may have more. */
const maxRawBytes = 4 * 1_048_576;

/** A registered metric of an application. Of one that did not report, only the first four fields are known. */
export interface MetricDetail extends ShownGain {
  readonly scorecard: string;
  readonly metric: string;
  readonly weight: number;
  readonly state: Freshness | "missing" | "waived";
  /** What waives it; only in the state `waived`. */
  readonly waiver?: Pick<StoredWaiver, "id" | "kind" | "reason" | "owner" | "expires_at">;
  readonly score?: number;
  readonly reasons?: readonly Reason[] | null;
  readonly raw?: object;
  readonly reported_at?: Date;
  readonly scorer?: string;
  /** What today's rules make of it, if another version made the score; null if they refuse the raw result. */
  readonly rescored?: Rescored | null;
  readonly pipeline_id?: string | null;
  readonly project_repo?: string | null;
}

const { scorecard, metric, score, time } = itemFields;
const nullableText: Json = { type: ["string", "null"] };

const { required: _, ...metricFields } = object({
  ...{ scorecard, metric },
  weight: { type: "number", description: "Relative to the other metrics of the scorecard" },
  state: {
    enum: ["fresh", "late", "stale", "missing", "waived"],
    description:
      "How old it is, by what its metric allows; `missing` if it never reported; `waived` if it does not count, reported or not",
  },
  waiver: {
    ...object({
      ...{ id: waiverFields.id, kind: waiverFields.kind, reason: waiverFields.reason },
      ...{ owner: waiverFields.owner, expires_at: waiverFields.expires_at },
    }),
    description: "What waives it; only in the state `waived`",
  },
  ...{ score, reasons: reasonsSchema },
  raw: { type: "object", description: "The raw result as it was reported" },
  reported_at: time,
  scorer: { type: "string", description: "The package that computed the score, with its version" },
  rescored: {
    ...object({ score, scorer: { type: "string" }, reasons: reasonsSchema }),
    type: ["object", "null"],
    description:
      "What today's rules make of `raw`, if another version of a package made the score; null if they refuse it. It counts from the next report on, or once a replay is applied",
  },
  ...{ pipeline_id: nullableText, project_repo: nullableText },
  ...gainFields,
}) as { required: unknown; properties: Json };

/** JSON Schema of a `MetricDetail`. */
export const metricDetailSchema: Json = { ...metricFields, required: ["scorecard", "metric", "weight", "state"] };

/** An application in an environment, or one that has reported nothing in any. */
type ItemTarget = Omit<Target, "env"> & { readonly env: string | null };

/** The roll-up of an application, as it is shown. */
export interface ShownRollUp<Score = number> extends ShownScores<Score> {
  readonly scorecards: readonly (ShownScores & { readonly scorecard: string })[];
  readonly unscored_scorecards: readonly { readonly scorecard: string; readonly waived: number }[];
}

interface ShownScores<Score = number> {
  readonly score: Score;
  readonly coverage: number;
  readonly fresh_coverage: number;
  readonly waived: number;
}

export function showRolled<Score extends number | null>({
  score,
  coverage,
  freshCoverage,
  waived,
  scorecards,
  waivedUnscored,
}: Omit<AppScore, keyof Target | "score"> & OwnScorecards & { readonly score: Score }): ShownRollUp<Score> {
  return {
    ...{ score, coverage, fresh_coverage: freshCoverage, waived },
    scorecards: scorecards.map(({ scorecard, score, coverage, freshCoverage, waived }) => ({
      ...{ scorecard, score, coverage, fresh_coverage: freshCoverage, waived },
    })),
    unscored_scorecards: [...waivedUnscored].map(([scorecard, waived]) => ({ scorecard, waived })),
  };
}

/** From what details are read. */
export interface DetailSources {
  readonly database: Database;
  readonly engine: Engine;
  readonly levelOf: ReturnType<typeof createLevelFinder>;
}

/**
 * Adds the metrics of each application, as they are stored now, and rolls them up again, so that scores and metrics agree.
 * The page ends early where the raw results are large.
 *
 * @throws ServiceError `store-unavailable`
 */
export async function readDetails<Item extends ItemTarget & Pick<App, "level" | "problems">>(
  { database, engine, levelOf }: DetailSources,
  page: Page<Item>,
  positionOf: (item: Item) => Page<Item>["end"],
): Promise<Page<Item & { readonly metrics: readonly MetricDetail[] }>> {
  const [stored, waivers] = await Promise.all([
    readRows(database, engine, page.items),
    readScoreWaivers(database, namesIn(page.items)),
  ]);
  const items: (Item & { readonly metrics: readonly MetricDetail[] })[] = [];
  for (const [index, item] of page.items.entries()) {
    const rows = stored.rows.filter(({ place }) => place === index);
    if (index > 0 && rows.some(({ raw }) => raw === null)) {
      const last = page.items[index - 1] as Item;
      return { ...page, items, end: positionOf(last) };
    }
    const own = waivers.filter((waiver) => coversTarget(waiver, { ...item, env: item.env ?? "" }));
    const waived = waivedMetrics(engine.scorecards, own);
    const metrics: MetricDetail[] = [];
    for (const [place, one] of metricsOf(engine).entries()) {
      await slice();
      metrics.push({ ...detailOf(engine, one, rows, stored.now), ...waivedBy(waived[place]) });
    }
    const evidence = metrics.map(({ score, reported_at, raw }): ScoredRaw | undefined =>
      score === undefined || reported_at === undefined ? undefined : { score, reported_at, raw: { ...raw } },
    );
    for (const gain of eachGain(engine, evidence, stored.now, waived)) {
      const place = metrics.findIndex((one) => one.scorecard === gain.scorecard && one.metric === gain.metric);
      metrics[place] = { ...(metrics[place] as MetricDetail), ...showGain(gain) };
      await slice();
    }
    const rolled = rollUpApp(engine.scorecards, evidence, stored.now, waived);
    const shown =
      rolled && showRolled({ ...rolled, waivedUnscored: waivedUnscored(engine.scorecards, own, rolled.scorecards) });
    const level = rolled ? levelOf(rolled, item.problems, evidence, waived) : item.level;
    items.push({ ...item, ...shown, level, metrics });
  }
  return { ...page, items };
}

function metricsOf({ scorecards }: Engine) {
  return scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => ({ scorecard: name, metric })));
}

type RegisteredMetric = ReturnType<typeof metricsOf>[number];

function detailOf(
  engine: Engine,
  { scorecard, metric }: RegisteredMetric,
  rows: readonly StoredRow[],
  now: Date,
): MetricDetail {
  const { name, weight } = metric;
  const row = rows.find((row) => row.scorecard === scorecard && row.metric === name);
  if (!row) return { scorecard, metric: name, weight, state: "missing" };
  const { score, reported_at, scorer, pipeline_id, project_repo } = row;
  const raw = row.raw ?? {};
  const rescored = rescoredOf(engine, { scorecard, metric: name, score, scorer, raw });
  return {
    ...{ scorecard, metric: name, weight, state: freshness(metric, reported_at, now), score },
    reasons: reasonsOf(engine, { scorecard, metric: name, score, raw }),
    ...{ raw, reported_at, scorer, ...(rescored !== undefined && { rescored }), pipeline_id, project_repo },
  };
}

function waivedBy(waiver: StoredWaiver | undefined): Partial<MetricDetail> {
  if (!waiver) return {};
  const { id, kind, reason, owner, expires_at } = waiver;
  return { state: "waived", waiver: { id, kind, reason, owner, expires_at } };
}

interface StoredRow {
  /** Index of the application in the page. */
  readonly place: number;
  readonly scorecard: string;
  readonly metric: string;
  readonly score: number;
  /** Null if it is beyond the limit of the page. */
  readonly raw: object | null;
  readonly reported_at: Date;
  readonly scorer: string;
  readonly pipeline_id: string | null;
  readonly project_repo: string | null;
}

async function readRows(
  { lists }: Database,
  engine: Engine,
  apps: readonly ItemTarget[],
): Promise<{ now: Date; rows: readonly StoredRow[] }> {
  const metrics = metricsOf(engine);
  const { rows } = await lists
    .raw(select, [
      apps.map((_, place) => place),
      ...(["area", "team", "app", "env"] as const).map((field) => apps.map((app) => app[field] ?? "")),
      metrics.map(({ scorecard }) => scorecard),
      metrics.map(({ metric }) => metric.name),
      maxRawBytes,
    ])
    .catch((error: unknown) => {
      throw storeError(error);
    });
  const [{ now }, ...found] = rows;
  return { now, rows: found.map((row: StoredRow) => ({ ...row, score: Number(row.score) })) };
}

/**
 * The sum goes from row to row and ends where it is too large, so no raw result beyond is fetched or turned into text. Each
 * target is looked up by the index of names, however little the database knows of the size of its tables.
 */
const select = `
  WITH wanted AS MATERIALIZED (
    SELECT place, target.id
    FROM unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::text[]) AS wanted (place, area, team, app, env)
    CROSS JOIN LATERAL (
      SELECT targets.id FROM applications JOIN targets ON application_id = applications.id
      WHERE applications.area = wanted.area AND applications.team = wanted.team AND applications.app = wanted.app
        AND targets.env = wanted.env AND applications.retired_at IS NULL AND targets.retired_at IS NULL
      LIMIT 1
    ) AS target
  ),
  found AS MATERIALIZED (
    SELECT place, scorecard, metric, scores.*
    FROM wanted JOIN scores ON target_id = wanted.id JOIN metrics ON metrics.id = metric_id
    WHERE (scorecard, metric) IN (SELECT * FROM unnest(?::text[], ?::text[]))
  ),
  beyond AS MATERIALIZED (
    SELECT place AS first FROM (
      SELECT place, sum(octet_length(raw::text)) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) AS bytes FROM found
    ) AS sized
    WHERE place > 0 AND bytes > ?::int ORDER BY place LIMIT 1
  )
  SELECT clock_timestamp() AS now, NULL AS place, NULL AS scorecard, NULL AS metric, NULL AS score, NULL::jsonb AS raw,
    NULL::timestamptz AS reported_at, NULL AS scorer, NULL AS pipeline_id, NULL AS project_repo
  UNION ALL
  SELECT NULL, place, scorecard, metric, score,
    CASE WHEN place < coalesce(first, place + 1) THEN raw END, reported_at, scorer, pipeline_id, project_repo
  FROM found LEFT JOIN beyond ON true
  WHERE place <= coalesce(first, place)
`;
