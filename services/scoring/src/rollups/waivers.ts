import { coversTarget, type Scorecard, type Target, type WaiverScope, waivedMetrics } from "@maturity/core";
import type { Lines } from "../store/lines.ts";
import { inLines, separator } from "../store/text-rows.ts";
import { inForceAt } from "../store/waivers.ts";

/** A waiver of scores that is in force. */
export interface ScoreWaiver extends WaiverScope {
  readonly id: string;
}

/** The waivers that waive something of an application. */
export type WaiversOf = (target: Target) => readonly ScoreWaiver[];

const none: readonly ScoreWaiver[] = [];

/**
 * Reads the waivers of scores that are in force at a time, in the order of their ids.
 *
 * @returns a function that finds those of an application; where there are none, it always gives the same list
 */
export async function readWaivers(lines: Lines, at: Date): Promise<WaiversOf> {
  const byArea = new Map<string, ScoreWaiver[]>();
  const select = `SELECT id, area, team, app, env, scorecard, metric FROM waivers
    WHERE scorecard IS NOT NULL AND ${inForceAt(`timestamptz '${at.toISOString()}'`)} ORDER BY id`;
  for await (const rows of inLines(lines(select))) {
    for (const row of rows) {
      const [id = "", area = "", ...names] = row.split(separator);
      const [team, app, env, scorecard, metric] = names.map((name) => name || null);
      const waiver = { id, area, team, app, env, scorecard, metric };
      byArea.set(area, [...(byArea.get(area) ?? []), waiver]);
    }
  }
  return (target) => {
    const found = byArea.get(target.area)?.filter((waiver) => coversTarget(waiver, target));
    return found && found.length > 0 ? found : none;
  };
}

/** Are these the same waivers? They are in the order of their ids. */
export function areSame(some: readonly ScoreWaiver[], others: readonly ScoreWaiver[]): boolean {
  return some.length === others.length && some.every(({ id }, index) => id === others[index]?.id);
}

/** The waived share of each scorecard of which something is waived. */
export function waivedShares(
  scorecards: readonly Scorecard[],
  waivers: readonly ScoreWaiver[],
): ReadonlyMap<string, number> {
  const waived = waivedMetrics(scorecards, waivers);
  const shares = new Map<string, number>();
  let next = 0;
  for (const { name, metrics } of scorecards) {
    let [share, total] = [0, 0];
    for (const { weight } of metrics) {
      if (waived[next++]) share += weight;
      total += weight;
    }
    if (share > 0) shares.set(name, share / total);
  }
  return shares;
}
