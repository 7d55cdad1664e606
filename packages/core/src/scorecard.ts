import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { Unit } from "./wording.ts";

/**
 * A reason of a score: one input that mattered. All reasons of a score together are JSON: at most 262,144 characters in texts
 * and keys, in 64 levels, of finite numbers, and of texts without NUL and lone surrogates. Else the engine refuses the score.
 * It hands on what JSON makes of them, a date as a text.
 */
export interface Reason {
  /** Name of the raw input field. */
  readonly field: string;
  /** The value of the field, as JSON. */
  readonly value: unknown;
  /** One plain sentence without the final full stop: the value, its effect on the score, and the rule. */
  readonly text: string;
  /**
   * Names the sentence, so that a program can word it anew: `rises`, `falls`, `stays`, `enough`, `leaves`, `none`, `pass` or
   * `fail`. Every curve of this package sets it.
   */
  readonly code?: string;
  /** The figures of the sentence beside `value`, by name: `{ score: 60, from: 110, from_score: 80, … }`. */
  readonly values?: Readonly<Record<string, number | string | boolean>>;
}

/** The result of a function. */
export interface Outcome {
  /** From 0 (worst) to 100 (best). The engine rounds it to two decimals and refuses anything outside. */
  readonly score: number;
  /** At least one, the most important first. */
  readonly reasons: readonly Reason[];
}

/** Maps one validated raw input to its score. Pure: the same input always gives the same outcome. */
export type ScoreFunction<Raw extends object> = (raw: Raw) => Outcome;

/** The better end of an input. A better input must never score lower. */
export type Direction = "lower" | "higher";

/**
 * A validator of raw inputs: any [Standard Schema](https://standardschema.dev) (joi, zod, valibot, …) whose output is an
 * object. It must be synchronous. If it also describes itself as JSON Schema, the API description of the service has that
 * schema.
 */
export type RawSchema<Raw extends object> =
  | StandardSchemaV1<unknown, Raw>
  | (StandardSchemaV1<unknown, Raw> & StandardJSONSchemaV1);

/** One input of a metric: a field of `raw`, with its words and its range. */
export interface Input {
  /** The subject of a sentence, in the singular and with its article: `the time to recover`. Default: the field's name. */
  readonly label?: string;
  /** How its values are written: `"ms"`, `["replica", "replicas"]`, `minutesAsTime`. Default: the number alone. */
  readonly unit?: Unit;
  /** The lowest value that it takes. */
  readonly min?: number;
  /** The highest value that it takes. */
  readonly max?: number;
  /** Which of its values are better. A curve that only rises or only falls says so itself. */
  readonly better?: Direction;
  /** The type of its values; a flag also takes 0 and 1. Default: `integer` for `halving`, `boolean` for `passFail`, else `number`. */
  readonly type?: "number" | "integer" | "boolean";
  /** The message for a value outside the range: `must be a fraction from 0 to 1: 0.02 is 2 %`. Default: the bound it misses. */
  readonly outOfRange?: string;
}

/** The inputs of a metric, by the fields of its `raw`. */
export type InputsOf<Raw extends object> = { readonly [Field in Extract<keyof Raw, string>]?: Input };

/** A metric of any scorecard. Its type does not say which result its function takes, so only an engine calls the function. */
export interface AnyMetric<Name extends string = string> {
  /** Lower case letters, digits and underscores, a letter first, at most 63: `image_scan`. Unique in its scorecard. */
  readonly name: Name;
  /** What it measures, in a few words. */
  readonly title: string;
  /** Above 0, at most 1,000,000; relative to the other metrics of the scorecard. */
  readonly weight: number;
  /** Validates the raw input. Unknown fields should pass. */
  readonly raw: RawSchema<object>;
  /** Maps the validated raw input to its outcome. */
  readonly score: ScoreFunction<never>;
  /** The fields of `raw` that it scores. */
  readonly inputs?: { readonly [field: string]: Input | undefined };
  /**
   * How old a result may be, in hours, above 0: up to this age a score is fresh, up to twice this age late, beyond stale.
   * Without it a score never ages.
   */
  readonly maxAgeHours?: number;
  /** What it measures and why, in a few sentences. */
  readonly description?: string;
  /** The address of a page that says how to improve: `https://…`. */
  readonly help?: string;
  /** The metric that replaces it: the name of another metric of the scorecard, or `scorecard.metric`. */
  readonly deprecated?: string;
}

/** One metric of a scorecard: its result, its weight and its curve. */
export interface Metric<Raw extends object, Name extends string = string> extends AnyMetric<Name> {
  readonly raw: RawSchema<Raw>;
  readonly score: ScoreFunction<Raw>;
  readonly inputs?: InputsOf<Raw>;
}

/** The package of a scorecard. Its imported `package.json` fits. Neither text has a NUL or a lone surrogate. */
export interface ScorecardPackage {
  /** `@acme/cost` */
  readonly name: string;
  /** `1.4.0` */
  readonly version: string;
}

/**
 * A versioned set of metrics. It is a plain object, so that packages published apart work together. If its type has its name
 * and metrics, as in `Scorecard<"cost", typeof budget | typeof servers>`, the compiler finds mistyped names and wrong results.
 */
export interface Scorecard<Name extends string = string, One extends AnyMetric = AnyMetric> {
  /** The version of this contract. */
  readonly contract: 1;
  /** Lower case letters, digits and underscores, a letter first, at most 63: `security`. Unique in an engine. */
  readonly name: Name;
  /** What it is called where people read it, in a word or two: `Engineering`. Default: the name. */
  readonly title?: string;
  /** Where in the life of software it looks: `build`, `ship`, `run`, or a word of your own in the form of a name. */
  readonly dimension: string;
  /** Above 0, at most 1,000,000; relative to the other scorecards of the engine. */
  readonly weight: number;
  /** The package that defines it. It is recorded beside every score. */
  readonly package: ScorecardPackage;
  /** At least one, in the order to show them. */
  readonly metrics: readonly One[];
}

/** The part of a scorecard that roll-ups need. Every `Scorecard` has it, and so has a stored description of a scorecard. */
export interface WeighedScorecard extends Pick<Scorecard, "name" | "weight"> {
  readonly metrics: readonly Pick<AnyMetric, "name" | "weight" | "maxAgeHours">[];
}
