import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSlices } from "./slices.ts";

test("work lets the event loop turn after each slice, and not within one", async () => {
  let now = 0;
  let turns = 0;
  let over = false;
  const next = createSlices(() => now);
  const counted = (async () => {
    for (; !over; turns++) await turn();
  })();
  const turnsBefore: number[] = [];
  for (now = 0; now < 30; now++) {
    await next();
    turnsBefore.push(turns);
  }
  over = true;
  await counted;
  const slices = Map.groupBy(turnsBefore, (count) => count);
  expect([...slices.values()].map(({ length }) => length)).toEqual([10, 10, 10]);
});
