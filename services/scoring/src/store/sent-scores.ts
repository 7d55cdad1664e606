import type { Target } from "@maturity/core";
import { type AppName, appName } from "../model/app-name.ts";
import type { MetricName } from "./targets.ts";

/** The key of a score. */
export interface ScoreKey extends Target {
  readonly scorecard: string;
  readonly metric: string;
}

/** A score to store. */
export interface NewScore extends ScoreKey {
  /** From 0 to 100, with two decimals. */
  readonly score: number;
  readonly raw: object;
  readonly scorer: string;
  readonly pipeline_id?: string;
  readonly project_repo?: string;
}

/** What a report says of a score, beside its key. */
export type Reported = Omit<NewScore, keyof ScoreKey>;

/** The columns of `scores` that hold it, by their types. What copies a score takes them from here. */
export const reportedColumns: Readonly<Record<keyof Reported, string>> = {
  score: "numeric",
  raw: "jsonb",
  scorer: "text",
  pipeline_id: "text",
  project_repo: "text",
};

const columns = Object.keys(reportedColumns) as (keyof Reported)[];

/** A text that differs between the keys of any two scores. */
export function scoreId({ area, team, app, env, scorecard, metric }: ScoreKey): string {
  return JSON.stringify([area, team, app, env, scorecard, metric]);
}

/** What became of the scores of one caller. */
export interface StoredScores {
  /** The latest time of their reports. Times come from the database's clock; each report of a key is later than the one before. */
  readonly reportedAt: Date;
  /** The names that their applications have now, in the order of the scores. */
  readonly names: readonly AppName[];
  /** The places of those whose application or environment is retired. If there are any, none of the caller is stored. */
  readonly retired: readonly { readonly place: number; readonly what: "app" | "env" }[];
}

interface SentTarget extends Target {
  readonly place: number;
  /** The places of the callers that report of it. */
  readonly callers: number[];
}

/** The scores of some callers, as the statement takes them. */
export interface Sent {
  readonly callers: readonly (readonly NewScore[])[];
  readonly targets: readonly SentTarget[];
  readonly metrics: readonly (MetricName & { readonly place: number })[];
  readonly rows: readonly object[];
  /** The place of the target, and that of the metric, of each score of each caller. */
  readonly places: readonly (readonly (readonly [target: number, metric: number])[])[];
}

/** Names each target and each metric once, so that each is looked up once. */
export function gather(callers: readonly (readonly NewScore[])[]): Sent {
  const targets = new Map<string, SentTarget>();
  const metrics = new Map<string, MetricName & { readonly place: number }>();
  const rows: object[] = [];
  const places = callers.map((scores, caller) =>
    scores.map((score) => {
      const { area, team, app, env, scorecard, metric } = score;
      const targetKey = `${area}\t${team}\t${app}\t${env}`;
      const target = targets.get(targetKey) ?? { place: targets.size, area, team, app, env, callers: [] };
      if (target.callers.at(-1) !== caller) target.callers.push(caller);
      targets.set(targetKey, target);
      const metricKey = `${scorecard}\t${metric}`;
      const of = metrics.get(metricKey) ?? { place: metrics.size, scorecard, metric };
      metrics.set(metricKey, of);
      const place = rows.length;
      const row: Record<string, unknown> = { place, caller, target: target.place, metric: of.place };
      for (const column of columns) row[column] = score[column];
      rows.push(row);
      return [target.place, of.place] as const;
    }),
  );
  return { callers, targets: [...targets.values()], metrics: [...metrics.values()], rows, places };
}

/** What the statement returns: `now`, the time of most reports; the others are about what differs. */
export interface FoundRow {
  readonly what: "now" | "later" | "unknown" | "app" | "env" | "renamed";
  readonly reported_at: Date;
  /** Places among the targets and the metrics that were sent. */
  readonly target: number | null;
  readonly metric: number | null;
  readonly area: string;
  readonly team: string;
  readonly app: string;
}

/** What the statement found, by callers. */
export function answers({ callers, places }: Sent, found: readonly FoundRow[]): StoredScores[] {
  const now = found.find(({ what }) => what === "now")?.reported_at as Date;
  const of = (what: string) => new Map(found.filter((row) => row.what === what).map((row) => [row.target, row]));
  const [renamed, apps, envs] = [of("renamed"), of("app"), of("env")];
  const later = new Map(
    found.filter(({ what }) => what === "later").map((row) => [`${row.target} ${row.metric}`, row.reported_at]),
  );
  return callers.map((scores, caller) => {
    const own = places[caller] ?? [];
    const times = own.map(([target, metric]) => Number(later.get(`${target} ${metric}`) ?? now));
    return {
      reportedAt: new Date(times.reduce((latest, time) => Math.max(latest, time))),
      names: scores.map((score, place) => appName(renamed.get(own[place]?.[0] ?? null) ?? score)),
      retired: own.flatMap(([target], place): StoredScores["retired"] => {
        if (apps.has(target)) return [{ place, what: "app" }];
        return envs.has(target) ? [{ place, what: "env" }] : [];
      }),
    };
  });
}
