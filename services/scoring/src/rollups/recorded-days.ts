import { rollUpAreas, rollUpTeams, type Target, type TeamScore } from "@maturity/core";
import type { TargetFilter } from "../model/target-filter.ts";
import { cacheAnswers } from "../store/cache.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import { liveTargets, type RollUpTarget } from "../store/roll-up-days.ts";
import { inSlices, yieldToEventLoop } from "../store/slices.ts";
import { copyOf, readRows } from "../store/text-rows.ts";
import { cacheByFilter } from "./by-filter.ts";
import { groupInSlices, idBy, once } from "./groups.ts";

/** The recorded score of a target on a day. */
export interface PastScore extends RollUpTarget {
  readonly score: number;
}

/** The recorded score of an application on a day. */
export interface PastApp extends Target {
  readonly score: number;
  /** The key of the weights by which it was computed; null if it was recorded without them. */
  readonly weights: number | null;
  /** The metrics from which it was exempt; empty if there were none. */
  readonly exemptMetrics: string;
}

/** The roll-ups of a day. Each is computed on first use. */
export interface PastRollUps {
  /** Whether the day is recorded, with whatever applications. */
  readonly isRecorded: boolean;
  readonly apps: () => Promise<readonly PastApp[]>;
  readonly teams: () => Promise<readonly PastScore[]>;
  readonly areas: () => Promise<readonly PastScore[]>;
}

/** Reads recorded roll-ups. */
export interface RecordedDays {
  /**
   * The roll-ups at the first moment of a day in UTC, of the applications that match a filter and are not retired. Teams and
   * areas average only these. They are at most 15 seconds old.
   *
   * @param day such as 2026-01-31
   * @returns empty lists for a day that is not recorded
   * @throws ServiceError `store-unavailable`
   */
  read(day: string, filter: TargetFilter): Promise<PastRollUps>;
}

export function createRecordedDays(database: Database): RecordedDays {
  const read = cacheAnswers(
    (day: string) => readDay(database, day),
    (day) => day,
  );
  const rollUps = cacheByFilter((apps: readonly PastApp[], { isRecorded }: Day): PastRollUps => {
    const teams = once(async () => {
      const all: TeamScore[] = [];
      const groups = await groupInSlices(apps, idBy(["area", "team", "env"]));
      await inSlices(groups.values(), (team) => all.push(...averageTeams(team)));
      return all;
    });
    return { isRecorded, apps: async () => apps, teams, areas: once(async () => rollUpAreas(await teams())) };
  });
  return { read: async (day, filter) => rollUps(await read(day), filter) };
}

/** Averages teams from the scores of applications alone. */
export function averageTeams(apps: readonly (Target & { readonly score: number })[]): TeamScore[] {
  return rollUpTeams(apps.map((app) => ({ ...app, reported: 0, fresh: 0, waived: 0, exempt: 0 })));
}

interface Day {
  readonly apps: readonly PastApp[];
  readonly isRecorded: boolean;
}

async function readDay(database: Database, day: string): Promise<Day> {
  const select = `SELECT area, team, app, env, score, weights, exempt_metrics FROM roll_up_days JOIN roll_up_targets_by_name ON id = roll_up_days.target_id
    WHERE day = '${day}' AND app IS NOT NULL AND roll_up_targets_by_name.target_id IN (${liveTargets})`;
  return readSnapshot(database, database.reads, async (lines) => {
    const apps: PastApp[] = [];
    for await (const rows of readRows(lines(select))) {
      await yieldToEventLoop();
      for (const [area = "", team = "", app = "", env = "", score, weights, exemptMetrics = ""] of rows) {
        const of = { score: Number(score), weights: weights ? Number(weights) : null };
        apps.push({ area, team, app, env, ...of, exemptMetrics: exemptMetrics && copyOf(exemptMetrics) });
      }
    }
    return { apps, isRecorded: apps.length > 0 };
  });
}
