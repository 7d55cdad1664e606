import { metricIds } from "./by-metric.ts";
import type { Exemption } from "./exemptions.ts";
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
  /** The waiver was approved at this time. Null if it is only requested, was rejected or withdrawn: it waives nothing. */
  readonly created_at: Time | null;
  /** The waiver ends at this time. */
  readonly expires_at?: Time | null | undefined;
  /** The waiver ended at this time, before `expires_at`. */
  readonly revoked_at?: Time | null | undefined;
}

type Optional<Field extends string> = { readonly [Name in Field]?: string | null | undefined };

/**
 * Whether a waiver is in force at a time: from `created_at` until `expires_at` or `revoked_at`, whichever comes first.
 * Never without `created_at`.
 *
 * @throws RangeError when one of the times is no time
 */
export function isInForce({ created_at, expires_at, revoked_at }: Waiver, at: Date): boolean {
  const time = millisecondsOf(at);
  const isBefore = (end: Time | null | undefined) => (end ?? null) === null || time < millisecondsOf(end as Time);
  if ((created_at ?? null) === null) return false; // also where a caller without types leaves it out
  return millisecondsOf(created_at as Time) <= time && isBefore(expires_at) && isBefore(revoked_at);
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

/** Why metrics do not count: a waiver, or an exemption by the policy. */
export type Exclusion = Pick<WaiverScope, "scorecard" | "metric"> | Exemption;

/**
 * What keeps each metric from counting, by `scorecard.metric`: the first that names it or its scorecard.
 *
 * @param exclusions the exemptions of the application, then the waivers that are in force and cover it
 */
export function excludedMetrics<One extends Exclusion>(
  scorecards: readonly WeighedScorecard[],
  exclusions: readonly One[],
): ReadonlyMap<string, One> {
  const ids = metricIds(scorecards);
  const entries = excludedInOrder(scorecards, exclusions).entries();
  return new Map([...entries].flatMap(([index, by]) => (by ? [[ids[index] ?? "", by] as const] : [])));
}

/**
 * What keeps each metric from counting, in the order of the scorecards and their metrics; undefined for a metric that counts.
 */
export function excludedInOrder<One extends Exclusion>(
  scorecards: readonly WeighedScorecard[],
  exclusions: readonly One[],
): (One | undefined)[] {
  return scorecards.flatMap(({ name, metrics }) => {
    const ofScorecard = exclusions.filter(({ scorecard }) => scorecard === name);
    return metrics.map((metric) => ofScorecard.find((one) => isAllOr(one.metric, metric.name)));
  });
}

function isAllOr(named: string | null | undefined, name: string): boolean {
  return (named ?? null) === null || named === name;
}
