import { type AppliesRule, type Exemption, findExemptions, type Scorecard, type Target } from "@maturity/core";
import fc from "fast-check";

/** A registered application, as a row of JSON. */
export interface RegisteredRow extends Omit<Target, "env"> {
  readonly tier: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

const tier = fc.constantFrom("1", "2", "3");
const kind = fc.constantFrom("service", "batch", 'a "library"\\');
const several = (value: fc.Arbitrary<string>) => fc.uniqueArray(value, { minLength: 1, maxLength: 2 });
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Rules of metrics and of whole scorecards, by tier, labels and environment, some of which begin days before or after now;
 * and a registration of about two of three applications. The first rule exempts all of them from a metric. The same seed
 * gives the same ones.
 */
export function randomApplies(
  seed: number,
  targets: readonly Target[],
  scorecards: readonly Scorecard[],
): { readonly applies: AppliesRule[]; readonly registry: RegisteredRow[] } {
  const environments = [...new Set(targets.map(({ env }) => env))];
  const condition = fc.record(
    {
      tier: several(tier),
      labels: fc.record({ kind: several(kind), "on call": fc.constant(["yes"]) }, { requiredKeys: ["kind"] }),
      env: several(fc.constantFrom(...environments)),
    },
    { requiredKeys: [] },
  );
  const what = fc.constantFrom(
    ...scorecards.flatMap(({ name, metrics }) => [
      { scorecard: name },
      ...metrics.map((metric) => ({ scorecard: name, metric: metric.name })),
    ]),
    { scorecard: "gone" },
  );
  const forAll: AppliesRule[] = scorecards
    .slice(0, 1)
    .map(({ name, metrics }) => ({ scorecard: name, metric: metrics[0]?.name }));
  const rule = fc
    .tuple(
      what,
      fc.record({ when: condition, unless: condition, from: fc.constantFrom(day(-2), day(2)) }, { requiredKeys: [] }),
    )
    .map(([subject, rest]): AppliesRule => ({ ...subject, ...rest }));
  const labels = fc.record({ kind, "on call": fc.constantFrom("yes", "no") }, { requiredKeys: [] });
  const registration = fc.option(fc.record({ tier: fc.option(tier, { nil: null }), labels }), { nil: null, freq: 2 });
  const apps = [
    ...new Map(targets.map(({ area, team, app }) => [JSON.stringify([area, team, app]), { area, team, app }])),
  ];
  const [sample] = fc.sample(
    fc.record({
      applies: fc.array(rule, { minLength: 7, maxLength: 7 }),
      registrations: fc.array(registration, { minLength: apps.length, maxLength: apps.length, size: "max" }),
    }),
    { seed, numRuns: 1 },
  );
  if (!sample) throw new Error("fast-check gave no sample");
  const registry = apps.flatMap(([, app], index) => {
    const registered = sample.registrations[index];
    return registered ? [{ ...app, ...registered }] : [];
  });
  return { applies: [...forAll, ...sample.applies], registry };
}

/** What rules exempt applications from, by the definition of core. */
export function exemptionsBy(
  applies: readonly AppliesRule[],
  registry: readonly RegisteredRow[],
  at: Date,
): (target: Target) => Exemption[] {
  return ({ area, team, app, env }) => {
    const found = registry.find((one) => one.area === area && one.team === team && one.app === app);
    return findExemptions(applies, { env, tier: found?.tier, labels: found?.labels }, at);
  };
}

/** Registers applications that exist. Its only value is their JSON. */
export const registerRows = `
  UPDATE applications SET tier = sent.tier, labels = sent.labels, registered_at = coalesce(registered_at, now())
  FROM json_to_recordset($1::json) AS sent (area text, team text, app text, tier text, labels jsonb)
  WHERE (applications.area, applications.team, applications.app) = (sent.area, sent.team, sent.app)
`;

/** The rules that have an effect, in the form of a policy file. */
export function policyFile(applies: readonly AppliesRule[]): string {
  const rules = applies
    .filter(({ scorecard }) => scorecard !== "gone")
    .filter(({ when, unless, from }) => [when, unless].some((one) => one && Object.keys(one).length > 0) || from)
    .map(({ scorecard, metric, when, unless, from }) => ({
      metric: metric === undefined ? scorecard : `${scorecard}.${metric}`,
      ...(when && Object.keys(when).length > 0 && { when }),
      ...(unless && Object.keys(unless).length > 0 && { unless }),
      ...(from && { from }),
    }));
  return JSON.stringify({ applies: rules });
}
