/** An input with its known result: a score, or a refusal. */
export type GoldenCase = ScoredCase | RefusedCase;

/** An input and the score it must get. */
export interface ScoredCase {
  readonly raw: object;
  /** From 0 to 100, as the engine rounds it: two decimals. */
  readonly score: number;
  /** The fields its reasons must name, in order; not checked when left out. */
  readonly reasons?: readonly string[];
}

/** An input the raw schema must refuse. */
export interface RefusedCase {
  readonly raw: unknown;
  /** The path the refusal must name: `raw.critical`. */
  readonly refused: string;
}

/** The cases of one metric, by name. */
export type MetricCases = Readonly<Record<string, GoldenCase>>;

/** For each metric its cases by name: `{ image_scan: { "three high findings": { raw, score: 65.98 } } }`. */
export type GoldenCases<MetricName extends string = string> = Readonly<Record<MetricName, MetricCases>>;

/**
 * Cases that must be refused at one field: `raw` without it, and with each of the wrong values in its place.
 *
 * @param raw an input that fits
 * @param wrong values by name, such as `notACount`
 */
export function refused(raw: object, field: string, wrong: Readonly<Record<string, unknown>>): MetricCases {
  const { [field]: _, ...rest } = raw as Record<string, unknown>;
  const cases: Record<string, GoldenCase> = { [`${field} missing`]: { raw: rest, refused: `raw.${field}` } };
  for (const [name, value] of Object.entries(wrong)) {
    cases[`${field} ${name}`] = { raw: { ...raw, [field]: value }, refused: `raw.${field}` };
  }
  return cases;
}

/** Values that are no number from 0 upwards. Each name says the fault, and stands behind the name of the field. */
export const notANumber: Readonly<Record<string, unknown>> = {
  "as text": "80",
  null: null,
  "a boolean": true,
  NaN: Number.NaN,
  "infinite, as JSON reads 1e400": JSON.parse("1e400"),
  "minus infinite": JSON.parse("-1e400"),
  "below 0": -0.001,
};

/** Values that are no count: a count is a whole number from 0 to a billion. */
export const notACount: Readonly<Record<string, unknown>> = {
  "as text": "3",
  null: null,
  "a boolean": true,
  "a fraction": 1.5,
  "below 0": -1,
  "above a billion": 1_000_000_001,
  NaN: Number.NaN,
  "infinite, as JSON reads 1e400": JSON.parse("1e400"),
};

/** What is no flag; 0 and 1 are the only numbers that are. */
export const notAFlag: Readonly<Record<string, unknown>> = {
  "as text": "true",
  "as an empty text": "",
  "as the text 1": "1",
  null: null,
  "above 1": 2,
  "below 0": -1,
  "a fraction": 0.5,
  NaN: Number.NaN,
  "infinite, as JSON reads 1e400": JSON.parse("1e400"),
};
