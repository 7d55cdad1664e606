import type { Equivalent } from "./parts.ts";

/** Those that no longer survive fail the run, so that none is named in vain. */
export const equivalents: readonly Equivalent[] = [
  ...of("packages/core/src/check-metric.ts", [
    [
      '(Number(a[field]) - Number(b[field])) * (direction === "lower" ? -1 : 1)',
      '(Number(a[field]) - Number(b[field])) / (direction === "lower" ? -1 : 1)',
      "divided by 1 or -1 is the same as multiplied by it",
    ],
    ["index - 1", "index + 1", "the same pairs from their other ends"],
    ["other < one", "other <= one", "of equal values either is the better"],
    ['""', '"Stryker was here!"', "a text that is split has at least one part"],
  ]),
  ...of("packages/core/src/contract.ts", [['typeof value === "number"', "true", "only a number is finite"]]),
  ...of("packages/core/src/preview.ts", [
    ['""', '"Stryker was here!"', "what does not match names no metric either way"],
    ["[]", '["Stryker was here"]', "what does not match names no metric either way"],
  ]),
  ...of("packages/core/src/roll-up.ts", [
    ["[]", '["Stryker was here"]', "before the first item there is no group, whatever the names"],
    ["!group || own.some((name, index) => name !== names[index])", "true", "the group of the key is the same one"],
    ["!group", "group", "the group of the key is the same one"],
    ["name !== names[index]", "true", "the group of the key is the same one"],
  ]),
  ...of("packages/core/src/piecewise.ts", [
    ["value < high[0]", "value <= high[0]", "at a point its own rule counts"],
    ["high[1] > low[1]", "high[1] >= low[1]", "where both scores are the same, the rule is that it stays"],
  ]),
  ...of("packages/core/src/wording.ts", [
    ["size >= 999 || size < 0.1", "true", "both ways write a number the same"],
    ["size >= 999", "size > 999", "both ways write a number the same"],
    ["size < 0.1", "size <= 0.1", "both ways write a number the same"],
  ]),
  ...of("packages/core/src/gain.ts", [
    ['"flags"', '""', "with one of the two questions unnamed they are still apart"],
    ['"fractions"', '""', "with one of the two questions unnamed they are still apart"],
    [
      "{ return undefined; // a value the metric refuses is none to recommend }",
      "{}",
      "a function without a return gives undefined",
    ],
    ["corner > from", "corner >= from", "the value that it has is never enough"],
    ["corner < from", "corner <= from", "the value that it has is never enough"],
  ]),
  ...of("packages/core/src/reach.ts", [
    ["(from + best) / 2 + 0.25", "(from + best) / 2 - 0.25", "both are fractions between the two"],
    [
      "{ return undefined; // a value the metric refuses is none to recommend }",
      "{}",
      "a function without a return gives undefined",
    ],
    ["from > 0", "from >= 0", "from 0 the best is 0 either way"],
    ["from <= limit", "from < limit", "at the limit nothing above it is accepted"],
  ]),
];

function of(
  file: string,
  mutants: readonly (readonly [code: string, becomes: string, because: string])[],
): Equivalent[] {
  return mutants.map(([code, becomes, because]) => ({ file, code, becomes, because }));
}
