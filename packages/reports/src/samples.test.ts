import { expect, test } from "vitest";
import { Samples } from "./samples.ts";

/** The percentile of the numbers from 1 to so many: at the position percent · (n + 1) / 100. */
const cases: Readonly<Record<string, { numbers: number; percent: number; percentile: number | undefined }>> = {
  "of none": { numbers: 0, percent: 95, percentile: undefined },
  "of one": { numbers: 1, percent: 95, percentile: 1 },
  "at a number": { numbers: 19, percent: 95, percentile: 19 },
  "between two": { numbers: 20, percent: 95, percentile: 19.95 },
  "never more than all of them": { numbers: 3, percent: 99, percentile: 3 },
  "never less than all of them": { numbers: 3, percent: 1, percentile: 1 },
  "of a hundred": { numbers: 100, percent: 95, percentile: 95.95 },
  "more than fit at first": { numbers: 5_000, percent: 95, percentile: 4_750.95 },
  "the median of an even number": { numbers: 10, percent: 50, percentile: 5.5 },
};

test.each(Object.entries(cases))("%s", (_, { numbers, percent, percentile }) => {
  const samples = new Samples();
  for (let number = numbers; number > 0; number--) samples.push(number);
  expect(samples.length).toBe(numbers);
  expect(samples.percentile(percent)).toEqual(percentile === undefined ? undefined : expect.closeTo(percentile, 9));
});

test("asking changes nothing", () => {
  const samples = new Samples();
  for (const number of [3, 1, 2]) samples.push(number);
  expect([samples.percentile(100), samples.percentile(1), samples.percentile(100)]).toEqual([3, 1, 3]);
});
