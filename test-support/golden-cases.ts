import type { GoldenCase, GoldenCases } from "../packages/core/src/testing.ts";

/** The golden cases of one metric, by name. */
export type Cases = GoldenCases[string];

/** `raw` with one field left out, and with each of the wrong values in its place: all refused, at that field. */
export function refused(raw: object, field: string, wrong: Readonly<Record<string, unknown>>): Cases {
  const { [field]: _, ...rest } = raw as Record<string, unknown>;
  const cases: Record<string, GoldenCase> = { [`${field} missing`]: { raw: rest, refused: `raw.${field}` } };
  for (const [name, value] of Object.entries(wrong)) {
    cases[`${field} ${name}`] = { raw: { ...raw, [field]: value }, refused: `raw.${field}` };
  }
  return cases;
}

/** What is no number in any field. */
export const notANumber: Readonly<Record<string, unknown>> = {
  "as text": "80",
  null: null,
  "a boolean": true,
  NaN: Number.NaN,
  "infinite, as JSON reads 1e400": JSON.parse("1e400"),
  "minus infinite": JSON.parse("-1e400"),
  "below 0": -0.001,
};

/** What is no number of findings. */
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
