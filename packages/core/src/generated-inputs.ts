import fc, { type Arbitrary } from "fast-check";

/** A raw input by its fields. */
export type Input = Record<string, unknown>;

/**
 * Values no raw schema should accept: those that are no object; and each sample with one of its numbers and flags left
 * out, as text, as null and as an object. A field that some sample lacks is optional or unknown, and stays as it is.
 */
export function generateJunk(samples: readonly Input[]): unknown[] {
  const [first = {}] = samples;
  const required = Object.keys(first).filter((field) => samples.every((sample) => Object.hasOwn(sample, field)));
  const spoilt = samples.flatMap((sample) =>
    required.flatMap((field) => {
      const { [field]: value, ...rest } = sample;
      if (typeof value !== "number" && typeof value !== "boolean") return [];
      return [rest, ...[String(value), null, {}].map((junk) => ({ ...sample, [field]: junk }))];
    }),
  );
  return [null, [], "80", 80, true, ...(required.length > 0 ? [{}] : []), ...spoilt];
}

/** Sizes that raw values have, beside those of the cases. */
const sizes = [0, 0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 50, 100, 1_000, 10_000, 1_000_000, 1_000_000_000];

/** Inputs that mix, vary and widen the values of the samples. A smaller input is nearer to the first sample. */
export function inputsLike(samples: readonly Input[]): Arbitrary<Input> {
  const fields = new Map<string, unknown[]>();
  for (const sample of samples) {
    for (const [field, value] of Object.entries(sample)) fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fc.record(Object.fromEntries([...fields].map(([field, values]) => [field, valuesLike(values)])));
}

function valuesLike(values: readonly unknown[]): Arbitrary<unknown> {
  if (values.every((value) => typeof value === "boolean")) return fc.boolean();
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length !== values.length) return fc.constantFrom(...values);
  const near = numbers.flatMap((value) => [value - 1, value + 1, value * (1 - 1e-9), value * (1 + 1e-9)]);
  const halves = numbers.flatMap((value) => [value / 2, Math.round(value / 2)]);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const between = fc.nat(1_024).map((part) => low + ((high - low) * part) / 1_024);
  return fc.oneof(
    { arbitrary: fc.constantFrom(...numbers, ...near, ...halves), weight: 4 },
    { arbitrary: fc.constantFrom(...sizes), weight: 2 },
    { arbitrary: between.map(Math.round), weight: 2 },
    between,
  );
}
