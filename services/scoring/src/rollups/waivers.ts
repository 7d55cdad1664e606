import { type Scorecard, type Target, type WaiverScope, waivedMetrics } from "@maturity/core";
import type { Lines } from "../store/lines.ts";
import { inLines, separator } from "../store/text-rows.ts";
import { scoreWaivers } from "../store/waivers.ts";

/** A waiver of scores that is in force. */
export interface ScoreWaiver extends WaiverScope {
  readonly id: string;
}

/** The waivers that waive something of an application. */
export type WaiversOf = (target: Target) => readonly ScoreWaiver[];

const none: readonly never[] = [];

/**
 * Makes a function that finds the waivers that cover an application, the widest first. However many waivers there are, it
 * looks only at those that it finds; where there are none, it always gives the same list.
 */
export function waiversByScope<One extends WaiverScope>(waivers: Iterable<One>): (target: Target) => readonly One[] {
  const byScope = Map.groupBy(waivers, ({ area, team, app, env }) => scopeKey(area, team, app, env));
  if (byScope.size === 0) return () => none;
  return ({ area, team, app, env }) => {
    const scopes = [scopeKey(area), scopeKey(area, team), scopeKey(area, team, app), scopeKey(area, team, app, env)];
    const found = scopes.flatMap((scope) => byScope.get(scope) ?? []);
    return found.length > 0 ? found : none;
  };
}

function scopeKey(...names: readonly (string | null | undefined)[]): string {
  return [0, 1, 2, 3].map((place) => names[place] ?? "").join(separator);
}

/**
 * Reads the waivers of scores that are in force at a time. Of those that waive the same, it takes the one that lasts
 * longest.
 *
 * @returns a function that finds those of an application, as `waiversByScope` does, always in the same order
 */
export async function readWaivers(lines: Lines, at: Date): Promise<WaiversOf> {
  const waivers: ScoreWaiver[] = [];
  const select = scoreWaivers("id, area, team, app, env, scorecard, metric", `timestamptz '${at.toISOString()}'`);
  for await (const rows of inLines(lines(select))) {
    for (const row of rows) {
      const [id = "", area = "", ...names] = row.split(separator);
      const [team, app, env, scorecard, metric] = names.map((name) => name || null);
      waivers.push({ id, area, team, app, env, scorecard, metric });
    }
  }
  return waiversByScope(waivers);
}

/** Are these the same waivers? They are in the order of `readWaivers`. */
export function areSame(some: readonly ScoreWaiver[], others: readonly ScoreWaiver[]): boolean {
  return some.length === others.length && some.every(({ id }, index) => id === others[index]?.id);
}

const nothing: ReadonlyMap<string, number> = new Map();

/** The waived share of each scorecard of which something is waived, but of those with a score, which have it themselves. */
export function waivedUnscored(
  scorecards: readonly Scorecard[],
  waivers: readonly ScoreWaiver[],
  scored: readonly { readonly scorecard: string }[],
): ReadonlyMap<string, number> {
  if (waivers.length === 0) return nothing;
  const shares = waivedShares(scorecards, waivers);
  return new Map([...shares].filter(([name]) => scored.every(({ scorecard }) => scorecard !== name)));
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
