import type {
  AnySubmission,
  App,
  Client,
  FormerName,
  RegisteredApp,
  Scorecard,
  StoredScore,
  Waiver,
} from "@maturity/client";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Engine, Target } from "@maturity/core";
import { measuredField } from "@maturity/report-files/measured";
import type { MetricName } from "@maturity/report-files/metric-name";
import type { MetricResult } from "@maturity/report-files/results";
import { nameBeyond } from "./bounds.ts";
import { findRetired, retiredText } from "./retired.ts";

type Raw = Readonly<Record<string, unknown>>;

/** A result, and when it was measured (RFC 3339) if the caller says so. */
export interface DatedResult extends MetricResult {
  readonly measured_at?: string;
}

/** What is stored of an application, for a gate to compare with. */
export interface Stored {
  /** The name under which it is stored: another one than asked for if the application has moved. */
  readonly target: Target;
  /** Its scores, with their results. */
  readonly scores: readonly StoredScore[];
  /** The time of the reading by the service's clock, in ISO 8601. */
  readonly asOf: string;
  /** The scorecards of the service, with the weights and the rules of the policy that count there. */
  readonly scorecards: readonly Scorecard[];
  readonly waivers: readonly Waiver[];
  /** Its entry in the registry, by which the policy exempts it. Undefined if it is not registered. */
  readonly registration: RegisteredApp | undefined;
}

/**
 * Asks what is stored of an application, also by a former name.
 *
 * @throws MaturityClientError also for an application that is retired
 * @throws UsageError for a token that is bound to something else: it would see nothing, whatever is stored
 */
export async function askStored(client: Client<AnySubmission>, target: Target): Promise<Stored> {
  const stored = await readStored(client, target);
  if (stored.scores.length > 0) return stored;
  const [{ name, grants }, formerNames] = await Promise.all([client.whoAmI(), client.formerNames().toArray()]);
  const now = currentName(target, formerNames);
  const beyond = nameBeyond(grants, now);
  if (beyond) {
    const { field, allowed } = beyond;
    throw new UsageError(
      `the token ${name} cannot read what is stored of ${field} ${beyond.name}: it is for ${field} ${allowed}`,
    );
  }
  const current = now === target ? stored : await readStored(client, now);
  const retired = current.scores.length === 0 ? await findRetired(client, now) : undefined;
  if (!retired) return current;
  const { MaturityClientError } = await import("@maturity/client");
  throw new MaturityClientError({ code: "app-retired", message: retiredText(retired), status: 409 });
}

/** The name of an application that has moved; the same object for one that has not. */
function currentName(target: Target, formerNames: readonly FormerName[]): Target {
  const names = ["area", "team", "app"] as const;
  const depth = (formerName: FormerName) => names.filter((name) => formerName[name] !== null).length;
  const [formerName] = formerNames
    .filter((formerName) => names.every((name) => formerName[name] === null || formerName[name] === target[name]))
    .sort((a, b) => depth(b) - depth(a));
  if (!formerName) return target;
  const { area, team, app } = formerName.moved_to;
  const moved = { ...target, area, team: team ?? target.team, app: app ?? target.app };
  return currentName(
    moved,
    formerNames.filter((one) => one !== formerName),
  );
}

async function readStored(client: Client<AnySubmission>, target: Target): Promise<Stored> {
  const { env: _, ...app } = target;
  const [{ items: scores, as_of: asOf }, scorecards, waivers, [registration]] = await Promise.all([
    client.scores({ ...target, detail: true, limit: 1_000 }).page(),
    client.scorecards().toArray(),
    client.waivers({ ...target }).toArray(),
    client.registry(app).toArray(),
  ]);
  return { target, scores, asOf, scorecards, waivers, registration };
}

/** How a score compares with the stored one. */
export interface Comparison {
  /** The stored score. */
  readonly stored: number;
  /** What the stored result scores by the rules on this machine; only where that is another score. */
  readonly rescored?: number;
  /** By how many points the score is above what it is compared with; negative where it is worse. */
  readonly change: number;
  /** The values that differ, of those that the metric scores. */
  readonly moved: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

/**
 * Compares a result with the stored one of its metric, both by the rules on this machine as far as these take the stored
 * one: a gate is about what changed here, not about a new version of the rules.
 *
 * @returns undefined if none is stored
 */
export function compare(
  {
    scorecard,
    metric,
    raw,
    score,
    reasons,
  }: MetricName & { raw: Raw; score: number; reasons: readonly { field: string }[] },
  engine: Engine,
  stored: Pick<Stored, "scores">,
): Comparison | undefined {
  const former = formerOf({ scorecard, metric }, stored);
  if (!former) return undefined;
  const before = (former.raw ?? {}) as Raw;
  const rescored = scoreOf(engine, { scorecard, metric }, before) ?? former.score;
  const inputs = engine.scorecards
    .find(({ name }) => name === scorecard)
    ?.metrics.find(({ name }) => name === metric)?.inputs;
  const fields = new Set([...Object.keys(inputs ?? {}), ...reasons.map(({ field }) => field)]);
  return {
    stored: former.score,
    ...(rescored !== former.score && { rescored }),
    // Scores have two decimals, and so has their difference.
    change: Number((score - rescored).toFixed(2)),
    moved: [...fields].flatMap((field) =>
      isSame(before[field], raw[field]) ? [] : [{ field, from: before[field], to: raw[field] }],
    ),
  };
}

/** Whether a later result of the metric is stored. The service then puts this one into the history alone. */
export function isLate(
  { reading, measured_at: given, ...name }: MetricName & Pick<DatedResult, "reading" | "measured_at">,
  stored: Pick<Stored, "scores">,
): boolean {
  const { measured_at: measured } = measuredField(reading, given);
  const former = formerOf(name, stored);
  return former !== undefined && measured !== undefined && Date.parse(measured) < Date.parse(former.measured_at);
}

function formerOf({ scorecard, metric }: MetricName, { scores }: Pick<Stored, "scores">): StoredScore | undefined {
  return scores.find((one) => one.scorecard === scorecard && one.metric === metric);
}

function scoreOf(engine: Engine, { scorecard, metric }: MetricName, raw: Raw): number | undefined {
  try {
    return engine.score(scorecard, metric, raw).score;
  } catch {
    return undefined; // the rules here refuse what those of then took
  }
}

/** A flag may be written as 0 or 1. */
function isSame(one: unknown, other: unknown): boolean {
  return (
    one === other ||
    (typeof one !== typeof other &&
      [one, other].some((value) => typeof value === "boolean") &&
      Number(one) === Number(other))
  );
}

/** The score of an application, as it is and as it would be. Undefined where nothing that counts has a score. */
export interface AppScores {
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** The shares of the weight that are waived, and exempt by the policy. */
  readonly shares: Pick<App, "waived" | "exempt">;
  /** Whether anything is stored or would be. */
  readonly hasResults: boolean;
}

/**
 * What an application would score if these results were stored, by the weights, waivers and policy of the service.
 *
 * @throws UsageError for a metric that the service does not have, since it has no part in the score
 */
export async function appScoresWith(
  results: readonly (MetricName & { readonly score: number })[],
  { target, scores, scorecards, waivers, registration, asOf }: Stored,
): Promise<AppScores> {
  const { coversTarget, findExemptions, isInForce } = await import("@maturity/core");
  const { excludedInOrder, metricIds, rollUpAllInOrder } = await import("@maturity/core/wire");
  const weighted = scorecards.map(({ scorecard, weight, metrics }) => ({
    name: scorecard,
    weight,
    metrics: metrics.map(({ metric, weight }) => ({ name: metric, weight })),
  }));
  const ids = metricIds(weighted);
  const unknown = results.find(({ scorecard, metric }) => !ids.includes(`${scorecard}.${metric}`));
  if (unknown) {
    throw new UsageError(
      `the service has no metric ${unknown.scorecard}.${unknown.metric}, so it has no part in the application's score`,
    );
  }
  const at = new Date(asOf);
  // A service before this version sends no rules.
  const rules = scorecards.flatMap(({ scorecard, applies = [] }) => applies.map((rule) => ({ scorecard, ...rule })));
  const { tier, labels } = registration ?? {};
  const excluded = excludedInOrder(weighted, [
    ...findExemptions(rules, { env: target.env, tier, labels: labels ?? {} }, at),
    ...waivers.filter((waiver) => isInForce(waiver, at) && coversTarget(waiver, target)),
  ]);
  const rolledUp = (records: readonly (MetricName & { readonly score: number })[]) => {
    const known = new Map(records.map(({ scorecard, metric, score }) => [`${scorecard}.${metric}`, score]));
    const scored = ids
      .map((id) => known.get(id))
      .map((score) => (score === undefined ? undefined : { score, reported_at: at }));
    return rollUpAllInOrder(weighted, scored, at, excluded);
  };
  const all = [...scores, ...results];
  const { score: after, waived, exempt } = rolledUp(all);
  return { before: rolledUp(scores).score, after, shares: { waived, exempt }, hasResults: all.length > 0 };
}
