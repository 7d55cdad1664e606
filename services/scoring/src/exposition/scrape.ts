import type { Engine } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot, whereTarget } from "../store/lines.ts";
import { labelsSql } from "../store/made-columns.ts";
import type { Samples } from "./exposition.ts";
import {
  metricWaivedSeries,
  problemSeries,
  problemWaivedSeries,
  registeredSeries,
  rulesSeries,
  type Series,
  scoreSeries,
  timestampSeries,
  waiverExpirySeries,
} from "./families.ts";
import { changeByRules } from "./rules-samples.ts";
import { metricWaived, problemWaived, waiverExpiry } from "./waiver-samples.ts";

/**
 * Reads the samples of one snapshot of the store.
 *
 * @param read called right before the snapshot is taken, so that the snapshot holds everything committed until then. It
 * must read at its own pace, never at the pace of a client.
 * @throws ServiceError `store-unavailable`. Errors of `read` are thrown on.
 */
export function readSamples<T>(
  { database, engine }: { readonly database: Database; readonly engine: Engine },
  filter: TargetFilter,
  read: (samples: Samples) => Promise<T>,
): Promise<T> {
  const { env: _, ...names } = filter; // an application is registered whatever its environments
  const where = whereTarget(filter);
  const stored = (columns: string, table: string) => `SELECT ${columns} FROM ${table} ${where}`;
  const registered = labelsSql({ area: "area", team: "team", app: "app" });
  /** What each series reads: its labels and its value in one text. */
  const selects = new Map<Series, string>([
    [scoreSeries, stored("labels || ' ' || score", "scores")],
    [timestampSeries, stored("labels || ' ' || round(extract(epoch FROM reported_at)::numeric, 3)", "scores")],
    [problemSeries, stored("labels || ' ' || count", "problems")],
    [registeredSeries, `SELECT ${registered} || ' 1' FROM apps ${whereTarget(names)}`],
    [metricWaivedSeries, metricWaived(engine, filter)],
    [problemWaivedSeries, problemWaived(filter)],
    [waiverExpirySeries, waiverExpiry(filter)],
    [rulesSeries, changeByRules(engine, filter)],
  ]);
  return readSnapshot(database, database.scrapes, (lines) =>
    read((series) => lines(`SELECT '${series.name}' || sample FROM (${selects.get(series)}) AS samples (sample)`)),
  );
}
