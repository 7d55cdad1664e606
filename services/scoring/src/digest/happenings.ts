import type { Target } from "@maturity/core";
import { type ChangesSources, readChanges } from "../history/changes.ts";
import { dayBefore } from "../lists/time.ts";
import { createRecordedDays } from "../rollups/recorded-days.ts";
import { createRollUpReader } from "../rollups/roll-ups.ts";
import type { Database } from "../store/database.ts";
import { inForceNow, type StoredWaiver, waiverColumns } from "../store/waivers.ts";
import { type Moved, readMoved } from "./moved.ts";
import { type GoneStale, type Period, readStale } from "./stale.ts";

/** A waiver that ends soon. */
export interface Ending extends Pick<StoredWaiver, "scorecard" | "metric" | "problem_type" | "reason" | "owner"> {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
  readonly env: string | null;
  readonly expires_at: Date;
}

/** What happened in the organisation since a day. */
export interface Happenings {
  /** The largest rise first. */
  readonly better: readonly Moved[];
  /** The largest fall first. */
  readonly worse: readonly Moved[];
  /** The next end first. */
  readonly ending: readonly Ending[];
  /** The oldest first. */
  readonly stale: readonly GoneStale[];
  /** All applications, to find whom a waiver concerns. */
  readonly apps: readonly Target[];
}

/** How many days before its end a waiver is told, as the alert rule `MaturityWaiverEnds` does. */
const daysAhead = 14;

/**
 * Reads what happened in a period. Scores are compared as `GET /changes` does, with the first moment of its first day in UTC.
 *
 * @throws ServiceError `store-unavailable`
 */
export async function readHappenings(
  { database, engine, historyDays }: Omit<ChangesSources, "sources">,
  period: Period,
): Promise<Happenings> {
  const rollUps = createRollUpReader(database, engine);
  const days = createRecordedDays(database);
  const since = dayBefore(period.since, 0);
  const changes = await readChanges(
    { database, engine, historyDays, sources: { rollUps, days } },
    { since, filter: {} },
  );
  const apps = await (await rollUps.read({})).apps();
  const moved = await readMoved(database, engine, { since, apps, changes: changes.apps });
  const rise = ({ from, to }: Moved) => to - from;
  return {
    better: moved.filter((one) => rise(one) > 0).sort((a, b) => rise(b) - rise(a)),
    worse: moved.filter((one) => rise(one) < 0).sort((a, b) => rise(a) - rise(b)),
    ending: await readEnding(database),
    stale: await readStale(database, engine, { period, apps }),
    apps,
  };
}

async function readEnding({ reads }: Database): Promise<Ending[]> {
  const { rows } = await reads.raw(
    `
    SELECT ${waiverColumns} FROM waivers
    WHERE expires_at <= clock_timestamp() + make_interval(hours => 24 * ?::int) AND ${inForceNow}
    ORDER BY expires_at, id
    `,
    [daysAhead],
  );
  return rows;
}
