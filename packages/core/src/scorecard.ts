import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

/** Why a score is what it is: one input that mattered. */
export interface Reason {
  /** Name of the raw input field. */
  readonly field: string;
  /** The value it had. */
  readonly value: unknown;
  /** One plain sentence: what was measured, what that did to the score, by which rule. Without the final full stop. */
  readonly text: string;
}

/** What a scorer returns. */
export interface Outcome {
  /** From 0 (worst) to 100 (best). The engine rounds it to two decimals and refuses anything outside. */
  readonly score: number;
  /** At least one, the most important first. */
  readonly reasons: readonly Reason[];
}

/** Maps one validated raw input to its score. Pure: the same input always gives the same outcome. */
export type Scorer<Raw extends object> = (raw: Raw) => Outcome;

/** Which values of an input are better. A better input must never score lower. */
export type Direction = "lower" | "higher";

/**
 * A validator of raw inputs: any [Standard Schema](https://standardschema.dev) (joi, zod, valibot, …) whose output is an
 * object. It must be synchronous. One that can also describe itself as JSON Schema appears in full in the service's API
 * description.
 */
export type RawSchema<Raw extends object> =
  | StandardSchemaV1<unknown, Raw>
  | (StandardSchemaV1<unknown, Raw> & StandardJSONSchemaV1);

/** A metric of any scorecard. What its scorer takes is known to its own `raw` alone, so only an engine can call it. */
export interface AnyMetric<Name extends string = string> {
  /** Lower case letters, digits and underscores, a letter first, at most 63: `image_scan`. Unique in its scorecard. */
  readonly name: Name;
  /** What it measures, in a few words. */
  readonly title: string;
  /** Above 0; relative to the other metrics of the scorecard. */
  readonly weight: number;
  /** Validates the raw input. Fields it does not know should pass. */
  readonly raw: RawSchema<object>;
  /** Maps the validated raw input to its outcome. */
  readonly score: Scorer<never>;
  /** For each input with a direction, which values are better. */
  readonly better?: { readonly [field: string]: Direction | undefined };
  /**
   * How old its evidence may be, in hours, above 0: up to this age a score is fresh, up to twice this age late, beyond stale.
   * Without it a score never ages.
   */
  readonly maxAgeHours?: number;
}

/** One metric of a scorecard: what it takes, what it weighs, how it scores. */
export interface Metric<Raw extends object, Name extends string = string> extends AnyMetric<Name> {
  readonly raw: RawSchema<Raw>;
  readonly score: Scorer<Raw>;
  readonly better?: { readonly [Field in Extract<keyof Raw, string>]?: Direction };
}

/** The package a scorecard comes from; its `package.json`, imported, fits. */
export interface ScorecardPackage {
  /** `@acme/cost` */
  readonly name: string;
  /** `1.4.0` */
  readonly version: string;
}

/**
 * A versioned set of metrics. A plain object, so that packages published apart work together. With the names in its type,
 * `Scorecard<"cost", "budget" | "servers">`, an engine and `checkScorecard` know a mistyped name when it is written.
 */
export interface Scorecard<Name extends string = string, MetricName extends string = string> {
  /** The version of this contract. */
  readonly contract: 1;
  /** Lower case letters, digits and underscores, a letter first, at most 63: `security`. Unique in an engine. */
  readonly name: Name;
  /** Where in the life of software it looks: `build`, `ship`, `run`, or a word of your own in the form of a name. */
  readonly dimension: string;
  /** Above 0; relative to the other scorecards of the engine. */
  readonly weight: number;
  /** The package that defines it; recorded beside every score it computes. */
  readonly package: ScorecardPackage;
  /** At least one, in the order to show them. */
  readonly metrics: readonly AnyMetric<MetricName>[];
}

/** What roll-ups ask of a scorecard. Every `Scorecard` is one, and so is what is left on record of one. */
export interface WeighedScorecard extends Pick<Scorecard, "name" | "weight"> {
  readonly metrics: readonly Pick<AnyMetric, "name" | "weight" | "maxAgeHours">[];
}

/**
 * Types a metric: its scorer must take whatever its validator lets pass, an optional field included. Returns it as it is.
 * `createEngine` and `checkScorecard` check it.
 */
export function defineMetric<Raw extends object, const Name extends string = string>(
  metric: Metric<NoInfer<Raw>, Name> & { readonly raw: RawSchema<Raw> },
): Metric<Raw, Name> {
  return metric;
}

/**
 * Completes a scorecard with the contract's version, and keeps name and version of `package`. `createEngine` and
 * `checkScorecard` check it.
 */
export function defineScorecard<const Name extends string, const MetricName extends string>(
  scorecard: Omit<Scorecard<Name, MetricName>, "contract">,
): Scorecard<Name, MetricName> {
  const { package: from } = scorecard;
  // Where it is missing, `createEngine` says so by the scorecard's name.
  return { ...scorecard, contract: 1, package: from && { name: from.name, version: from.version } };
}
