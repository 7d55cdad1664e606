import { expect, test } from "vitest";
import { Samples } from "./samples.ts";

/** The percentile by nearest rank, of the numbers from 1 to so many. */
const cases: Readonly<Record<string, { numbers: number; percent: number; percentile: number | undefined }>> = {
  "of none": { numbers: 0, percent: 95, percentile: undefined },
  "of one": { numbers: 1, percent: 95, percentile: 1 },
  "95 % of 19 is more than 18": { numbers: 19, percent: 95, percentile: 19 },
  "95 % of 20 is exactly 19": { numbers: 20, percent: 95, percentile: 19 },
  "95 % of 21 is more than 19": { numbers: 21, percent: 95, percentile: 20 },
  "95 % of a hundred": { numbers: 100, percent: 95, percentile: 95 },
  "more than fit at first": { numbers: 5_000, percent: 95, percentile: 4_750 },
  "the median": { numbers: 10, percent: 50, percentile: 5 },
};

test.each(Object.entries(cases))("%s", (_, { numbers, percent, percentile }) => {
  const samples = new Samples();
  for (let number = numbers; number > 0; number--) samples.push(number);
  expect(samples.length).toBe(numbers);
  expect(samples.percentile(percent)).toBe(percentile);
});

test("asking changes nothing", () => {
  const samples = new Samples();
  for (const number of [3, 1, 2]) samples.push(number);
  expect([samples.percentile(100), samples.percentile(1), samples.percentile(100)]).toEqual([3, 1, 3]);
});
