import { type Organisation, readAt } from "../../../test-support/organisations.ts";
import type { AppliesTo, RollUp, ScoreRecord, Target, Waiver } from "../src/index.ts";

/** Score, share reported, share fresh, and the shares waived and exempt; of an average also how many it averages, and the lowest of them. */
export type Values = readonly number[];

/** The values of a roll-up, by the labels of their level, joined: `app,retail,basket,checkout,prod`. */
export function valuesOf({ apps, teams, areas }: RollUp): Map<string, Values> {
  return new Map([
    ...apps.flatMap((one) => {
      const target = [one.area, one.team, one.app, one.env];
      return [
        entry(["app", ...target], one),
        ...one.scorecards.map((card) => entry(["scorecard", ...target, card.scorecard], card)),
      ];
    }),
    ...teams.map((one) => entry(["team", one.area, one.team, one.env], one, one.count, one.lowest)),
    ...areas.map((one) => entry(["area", one.area, one.env], one, one.count, one.lowest)),
  ]);

  function entry(
    labels: readonly string[],
    one: RollUp["apps"][number] | RollUp["areas"][number] | Card,
    ...more: number[]
  ) {
    return [labels.join(), [one.score, one.reported, one.fresh, one.waived, one.exempt, ...more]] as const;
  }
}

type Card = RollUp["apps"][number]["scorecards"][number];

/** Does a metric of an application not count, or with no metric named, does nothing of a scorecard? */
export function isExcluded(organisation: Organisation, target: Target, scorecard: string, metric?: string): boolean {
  if (metric === undefined) {
    const declared = organisation.scorecards.find(({ name }) => name === scorecard)?.metrics ?? [];
    return declared.length > 0 && declared.every(({ name }) => isExcluded(organisation, target, scorecard, name));
  }
  return isExempt(organisation, target, scorecard, metric) || isWaived(organisation.waivers, target, scorecard, metric);
}

/** Does the policy exempt an application from a metric? */
function isExempt({ applies, registry }: Organisation, target: Target, scorecard: string, metric: string): boolean {
  const registered = registry.find((one) => isOf({ ...one, env: target.env }, target));
  const fits = ({ tier, labels = {}, env }: AppliesTo) =>
    (!tier || tier.some((one) => one === registered?.tier)) &&
    Object.entries(labels).every(([name, values]) => values.some((one) => one === registered?.labels[name])) &&
    (!env || env.includes(target.env));
  const asks = ({ tier, labels, env }: AppliesTo) => [tier, env, ...Object.values(labels ?? {})].some(Boolean);
  return applies
    .filter((rule) => rule.scorecard === scorecard && (rule.metric ?? metric) === metric)
    .some(
      ({ when, unless, from = "" }) =>
        (when && !fits(when)) || (unless && asks(unless) && fits(unless)) || from > readAt.toISOString(),
    );
}

function isWaived(waivers: readonly Waiver[], target: Target, scorecard: string, metric: string): boolean {
  return waivers.some(
    (one) =>
      isInForce(one) &&
      one.area === target.area &&
      (one.team ?? target.team) === target.team &&
      (one.app ?? target.app) === target.app &&
      (one.env ?? target.env) === target.env &&
      one.scorecard === scorecard &&
      (one.metric ?? metric) === metric,
  );
}

function isInForce({ created_at, expires_at, revoked_at }: Waiver): boolean {
  const ends = [expires_at, revoked_at].filter((end) => end !== undefined).map(Number);
  return Number(created_at) <= readAt.getTime() && readAt.getTime() < Math.min(...ends);
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** What a roll-up gives, as it is written down: level by level, each by looking through all that is below it. */
export function byDefinition(organisation: Organisation): Map<string, Values> {
  const { scorecards, scores } = organisation;
  const values = new Map<string, Values>();
  for (const target of targetsOf(scores)) {
    const labels = labelsOf(target);
    const own = scores.filter((one) => isOf(one, target));
    const parts = scorecards.map(({ name, weight, metrics }) => {
      const left = metrics.filter((metric) => !isExcluded(organisation, target, name, metric.name));
      const exempt = metrics.filter((metric) => isExempt(organisation, target, name, metric.name));
      const found = left.flatMap(({ name: metric, weight, maxAgeHours = Number.POSITIVE_INFINITY }) => {
        const one = own.find((record) => record.scorecard === name && record.metric === metric);
        const age = readAt.getTime() - Number(one?.reported_at);
        return one ? [{ weight, score: one.score, isFresh: age <= 2 * maxAgeHours * 3_600_000 }] : [];
      });
      const sums = [
        total(found.map((one) => one.weight * one.score)) / weights(found),
        weights(found) / weights(left),
        weights(found.filter(({ isFresh }) => isFresh)) / weights(left),
        (weights(metrics) - weights(left) - weights(exempt)) / weights(metrics),
        weights(exempt) / weights(metrics),
      ];
      if (found.length > 0) values.set(["scorecard", ...labels, name].join(), sums);
      return { weight, sums, found: found.length, left: left.length };
    });
    const withScore = parts.filter(({ found }) => found > 0);
    const left = parts.filter((part) => part.left > 0);
    if (withScore.length === 0) continue;
    const mean = (some: typeof parts, index: number) =>
      total(some.map(({ weight, sums }) => weight * (sums[index] ?? 0))) / weights(some);
    values.set(["app", ...labels].join(), [
      ...[mean(withScore, 0), mean(left, 1), mean(left, 2)],
      ...[mean(parts, 3), mean(parts, 4)],
    ]);
  }
  const keys = [...values.keys()].filter((id) => id.startsWith("app,")).map((id) => id.split(","));
  for (const [, area = "", team = "", , env = ""] of keys) {
    const apps = keys.filter((key) => key[1] === area && key[2] === team && key[4] === env);
    values.set(["team", area, team, env].join(), average(apps.map((key) => values.get(key.join()) ?? [])));
  }
  for (const [, area = "", , , env = ""] of keys) {
    const teams = [...values].filter(([id]) => id.startsWith(`team,${area},`) && id.endsWith(`,${env}`));
    values.set(["area", area, env].join(), average(teams.map(([, one]) => one)));
  }
  return values;
}

/** Those that reported, each once. */
function targetsOf(scores: readonly ScoreRecord[]): readonly Target[] {
  return [...new Map(scores.map((one) => [labelsOf(one).join(), one])).values()];
}

/** Is it of this application in this environment? */
export function isOf(one: Target, target: Target): boolean {
  return labelsOf(one).every((name, index) => name === labelsOf(target)[index]);
}

function labelsOf({ area, team, app, env }: Target): readonly string[] {
  return [area, team, app, env];
}

function weights(some: readonly { readonly weight: number }[]): number {
  return total(some.map(({ weight }) => weight));
}

function average(all: readonly Values[]): Values {
  const means = [0, 1, 2, 3, 4].map((index) => total(all.map((one) => one[index] ?? Number.NaN)) / all.length);
  return [...means, all.length, Math.min(...all.map(([score = Number.NaN]) => score))];
}

/** The applications of an organisation, each with its scores and what does not count, in the order of `rollUpApp`. */
export function applicationsOf(organisation: Organisation): readonly Application[] {
  const { scorecards, scores } = organisation;
  const names = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => [name, metric.name] as const));
  return targetsOf(scores).map((target) => ({
    id: labelsOf(target).join(),
    target,
    scores: names.map(([card, metric]) =>
      scores.find((one) => isOf(one, target) && one.scorecard === card && one.metric === metric),
    ),
    excluded: names.map(([card, metric]) => {
      if (!isExcluded(organisation, target, card, metric)) return undefined;
      return isExempt(organisation, target, card, metric) ? { exempt: "not_applicable" } : {};
    }),
  }));
}

export interface Application {
  /** `retail,basket,checkout,prod` */
  readonly id: string;
  readonly target: Target;
  readonly scores: readonly (ScoreRecord | undefined)[];
  readonly excluded: readonly (object | undefined)[];
}
