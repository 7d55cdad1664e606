import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot, whereTarget } from "../store/lines.ts";
import { labelsSql } from "../store/made-columns.ts";
import type { Samples } from "./exposition.ts";

/**
 * Reads the samples of one snapshot of the store.
 *
 * @param read called right before the snapshot is taken, so that the snapshot holds everything committed until then. It
 * must read at its own pace, never at the pace of a client.
 * @throws ServiceError `store-unavailable`. Errors of `read` are thrown on.
 */
export function readSamples<T>(
  database: Database,
  filter: TargetFilter,
  read: (samples: Samples) => Promise<T>,
): Promise<T> {
  const { env: _, ...names } = filter;
  const where = whereTarget(filter);
  // An application is registered whatever its environments.
  const conditions = { scores: where, timestamps: where, problems: where, registry: whereTarget(names) };
  return readSnapshot(database, database.scrapes, (lines) =>
    read((family, { name }) =>
      lines(`SELECT '${name}' || ${columns[family]} FROM ${tables[family]} ${conditions[family]}`),
    ),
  );
}

const tables = { scores: "scores", timestamps: "scores", problems: "problems", registry: "apps" } as const;

const columns = {
  scores: "labels || ' ' || score",
  timestamps: "labels || ' ' || round(extract(epoch FROM reported_at)::numeric, 3)",
  problems: "labels || ' ' || count",
  registry: `${labelsSql({ area: "area", team: "team", app: "app" })} || ' 1'`,
} as const;
