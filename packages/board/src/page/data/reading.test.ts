import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { type Reading, show, shown } from "./reading.ts";

test("what two parts of the screen show is shown until both have left", () => {
  const reading: Reading<never> = {
    ...{ answer: signal(undefined), failure: signal(undefined), holdsAt: signal(undefined) },
    ...{ refresh: async () => {}, reach: () => {} },
  };
  const [one, other] = [show(reading), show(reading)];
  expect(shown.value).toEqual([reading]);
  one();
  expect(shown.value).toEqual([reading]);
  other();
  expect(shown.value).toEqual([]);
});
