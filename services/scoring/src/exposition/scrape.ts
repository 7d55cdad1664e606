import type { Engine } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import type { Samples } from "./exposition.ts";

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
  return readSnapshot(database, database.scrapes, (lines) =>
    read(({ name, select }) =>
      lines(`SELECT '${name}' || sample FROM (${select(engine, filter)}) AS samples (sample)`),
    ),
  );
}
