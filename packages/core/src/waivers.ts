import { metricIds } from "./by-metric.ts";
import { millisecondsOf, type Time } from "./freshness.ts";
import type { WeighedScorecard } from "./scorecard.ts";
import type { Target } from "./target.ts";

/**
 * What a waiver covers: an area, and within it a team, an application or an environment if it names them.
 * It names a scorecard, a metric of it, or a kind of problem. What is left out or null means all.
 */
export interface WaiverScope
  extends Pick<Target, "area">,
    Optional<"team" | "app" | "env" | "scorecard" | "metric" | "problem_type"> {}

/** A waiver: its scope does not count from `created_at` until its end. */
export interface Waiver extends WaiverScope {
  readonly created_at: Time;
  /** The waiver ends at this time. */
  readonly expires_at?: Time | null | undefined;
  /** The waiver ended at this time, before `expires_at`. */
  readonly revoked_at?: Time | null | undefined;
}

type Optional<Field extends string> = { readonly [Name in Field]?: string | null | undefined };

/**
 * Whether a waiver is in force at a time: from `created_at` until `expires_at` or `revoked_at`, whichever comes first.
 *
 * @throws RangeError when one of the times is no time
 */
export function isInForce({ created_at, expires_at, revoked_at }: Waiver, at: Date): boolean {
  const time = millisecondsOf(at);
  const isBefore = (end: Time | null | undefined) => (end ?? null) === null || time < millisecondsOf(end as Time);
  return millisecondsOf(created_at) <= time && isBefore(expires_at) && isBefore(revoked_at);
}

/** Whether the scope of a waiver includes this application in this environment. */
export function coversTarget(waiver: WaiverScope, target: Target): boolean {
  return (
    waiver.area === target.area &&
    isAllOr(waiver.team, target.team) &&
    isAllOr(waiver.app, target.app) &&
    isAllOr(waiver.env, target.env)
  );
}

/**
 * What waives each metric that is waived, by `scorecard.metric`: the first of the waivers that names it or its scorecard.
 *
 * @param waivers those that are in force and cover the application
 */
export function waivedMetrics<One extends WaiverScope>(
  scorecards: readonly WeighedScorecard[],
  waivers: readonly One[],
): ReadonlyMap<string, One> {
  const ids = metricIds(scorecards);
  const entries = waivedInOrder(scorecards, waivers).entries();
  return new Map([...entries].flatMap(([index, waiver]) => (waiver ? [[ids[index] ?? "", waiver] as const] : [])));
}

/** What waives each metric, in the order of the scorecards and their metrics; undefined for a metric that counts. */
export function waivedInOrder<One extends WaiverScope>(
  scorecards: readonly WeighedScorecard[],
  waivers: readonly One[],
): (One | undefined)[] {
  return scorecards.flatMap(({ name, metrics }) => {
    const ofScorecard = waivers.filter(({ scorecard }) => scorecard === name);
    return metrics.map((metric) => ofScorecard.find((waiver) => isAllOr(waiver.metric, metric.name)));
  });
}

function isAllOr(named: string | null | undefined, name: string): boolean {
  return (named ?? null) === null || named === name;
}
