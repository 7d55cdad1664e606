import type { Target, WaiverScope } from "@maturity/core";
import type { Lines } from "../store/lines.ts";
import { readRows, separator } from "../store/text-rows.ts";
import { type StoredWaiver, scoreWaivers } from "../store/waivers.ts";

/** A waiver of scores in force. */
export interface ScoreWaiver
  extends WaiverScope,
    Pick<StoredWaiver, "id" | "kind" | "reason" | "owner" | "expires_at"> {}

/** Finds the waivers that cover an application. */
export type WaiversOf = (target: Target) => readonly ScoreWaiver[];

const none: readonly never[] = [];

/**
 * Makes a function that finds the waivers that cover an application, the widest scope first. Its time does not depend
 * on the number of other waivers; without waivers it always returns the same list.
 */
export function waiversByScope<Scoped extends WaiverScope>(
  waivers: Iterable<Scoped>,
): (target: Target) => readonly Scoped[] {
  const byScope = Map.groupBy(waivers, ({ area, team, app, env }) => scopeKey(area, team, app, env));
  if (byScope.size === 0) return () => none;
  return ({ area, team, app, env }) => {
    const scopes = [scopeKey(area), scopeKey(area, team), scopeKey(area, team, app), scopeKey(area, team, app, env)];
    const found = scopes.flatMap((scope) => byScope.get(scope) ?? []);
    return found.length > 0 ? found : none;
  };
}

function scopeKey(...names: readonly (string | null | undefined)[]): string {
  return [0, 1, 2, 3].map((index) => names[index] ?? "").join(separator);
}

/**
 * Reads the waivers of scores in force at a time; of several with the same scope only the longest.
 *
 * @returns a function as of `waiversByScope`, always with the same order
 */
export async function readWaivers(lines: Lines, at: Date): Promise<WaiversOf> {
  const waivers: ScoreWaiver[] = [];
  const columns = "id, kind, area, team, app, env, scorecard, metric, reason, owner, expires_at";
  const select = `SELECT row_to_json(waiver)::text FROM (${scoreWaivers(columns, at)}) AS waiver`;
  for await (const rows of readRows(lines(select))) {
    for (const [json = ""] of rows) {
      const waiver = JSON.parse(json);
      waivers.push({ ...waiver, expires_at: waiver.expires_at && new Date(waiver.expires_at) });
    }
  }
  return waiversByScope(waivers);
}

/** Whether two lists have the same waivers, in the order of `readWaivers`. */
export function areSameWaivers(one: readonly ScoreWaiver[], other: readonly ScoreWaiver[]): boolean {
  return one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);
}
