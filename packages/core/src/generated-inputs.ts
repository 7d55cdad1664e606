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

/** Inputs that mix, vary and widen the values of the samples, the samples first; the same ones at every call. */
export function generateInputs(samples: readonly Input[]): Input[] {
  const fields = new Map<string, unknown[]>();
  for (const sample of samples) {
    for (const [field, value] of Object.entries(sample)) fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  const pools = [...fields].map(([field, values]) => [field, widen(values)] as const);
  const random = sequence();
  const inputs: Input[] = samples.map((sample) => ({ ...sample }));
  for (let i = 0; i < 500; i++) {
    inputs.push(
      Object.fromEntries(pools.map(([field, values]) => [field, values[Math.floor(random() * values.length)]])),
    );
  }
  return inputs;
}

function widen(values: readonly unknown[]): unknown[] {
  if (values.every((value) => typeof value === "boolean")) return [true, false];
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length !== values.length) return [...values];
  const ladder = [0, 0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 50, 100, 1000, 10_000, 1_000_000, 1_000_000_000];
  const sorted = [...new Set([...numbers, ...ladder])].sort((a, b) => a - b);
  const between = sorted.slice(1).flatMap((value, index) => {
    const middle = (value + (sorted[index] ?? value)) / 2;
    return [middle, Math.round(middle)];
  });
  return [
    ...sorted,
    ...between,
    ...numbers.flatMap((value) => [value - 1, value + 1, value * (1 - 1e-9), value * (1 + 1e-9)]),
  ];
}

/** Numbers in [0, 1), the same ones at every call (a linear congruential generator, constants of Numerical Recipes). */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
