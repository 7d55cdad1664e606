import { millisecondsOf, type Time } from "./freshness.ts";

/**
 * Which applications a condition fits: those that fit each field that is given. A field fits by any of its values. What an
 * application does not have fits nothing.
 */
export interface AppliesTo {
  readonly tier?: readonly string[];
  /** Values by the name of the label. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  readonly env?: readonly string[];
}

/**
 * To whom a scorecard, or a metric of it, applies: to what `when` fits and `unless` does not. Of several rules for a metric
 * each must let it apply.
 */
export interface AppliesRule {
  readonly scorecard: string;
  /** The whole scorecard, if absent. */
  readonly metric?: string | undefined;
  readonly when?: AppliesTo | undefined;
  readonly unless?: AppliesTo | undefined;
  /** The day in UTC, such as 2026-12-01, until which it is shown and counts for nobody. */
  readonly from?: string | undefined;
}

/** What decides which rules fit an application in an environment. */
export interface AppliesFacts {
  readonly env: string;
  /** That of the registry. */
  readonly tier?: string | null | undefined;
  /** Those of the registry. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Why a metric, or all of a scorecard, does not count by the policy. */
export interface Exemption {
  readonly scorecard: string;
  /** All of the scorecard, if absent. */
  readonly metric?: string | undefined;
  /** `announced`: it counts from a later day on. */
  readonly exempt: "not_applicable" | "announced";
  /** Such as `not for kind=batch, by policy`. */
  readonly reason: string;
}

/**
 * What the rules exempt an application from. What does not apply comes before what is announced.
 *
 * @param at the time of the reading
 * @throws RangeError when `from` of a rule is no time
 */
export function findExemptions(rules: readonly AppliesRule[], facts: AppliesFacts, at: Date): Exemption[] {
  const [never, later]: [Exemption[], Exemption[]] = [[], []];
  for (const { scorecard, metric, when, unless, from } of rules) {
    const what = metric === undefined ? { scorecard } : { scorecard, metric };
    const because = misfit(when, facts) ?? fit(unless, facts);
    if (because !== undefined) never.push({ ...what, exempt: "not_applicable", reason: `${because}, by policy` });
    else if (isBefore(from, at)) later.push({ ...what, exempt: "announced", reason: `counts from ${from}, by policy` });
  }
  return [...never, ...later];
}

/** Whether the metric does not count by the policy. What else keeps it from counting is a waiver. */
export function isExempt(exclusion: object): exclusion is Exemption {
  return "exempt" in exclusion;
}

function isBefore(from: Time | undefined, at: Date): boolean {
  return from !== undefined && millisecondsOf(at) < millisecondsOf(from);
}

/** Why the condition does not fit; undefined if it does. */
function misfit(condition: AppliesTo | undefined, facts: AppliesFacts): string | undefined {
  for (const { name, value, values } of fieldsOf(condition, facts)) {
    if (value === undefined) return `not without ${name}`;
    if (!values.includes(value)) return `not for ${name}=${value}`;
  }
  return undefined;
}

/** Why the condition fits; undefined if it does not. */
function fit(condition: AppliesTo | undefined, facts: AppliesFacts): string | undefined {
  const fields = fieldsOf(condition, facts);
  const fits = fields.length > 0 && fields.every(({ value, values }) => value !== undefined && values.includes(value));
  return fits ? `not for ${fields.map(({ name, value }) => `${name}=${value}`).join(" ")}` : undefined;
}

/** The fields of a condition with the value that the application has. */
function fieldsOf({ tier, labels = {}, env }: AppliesTo = {}, facts: AppliesFacts) {
  return [
    ...(tier ? [{ name: "tier", value: facts.tier ?? undefined, values: tier }] : []),
    ...Object.entries(labels).map(([name, values]) => ({
      ...{ name, values },
      value: facts.labels && Object.hasOwn(facts.labels, name) ? facts.labels[name] : undefined,
    })),
    ...(env ? [{ name: "env", value: facts.env, values: env }] : []),
  ];
}
