import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSlices } from "./slices.ts";

/** Lets works of so many steps of a millisecond run at once, and gives who ran in each turn of the event loop. */
async function turnsOf(steps: number, ...works: readonly string[]): Promise<string[]> {
  let now = 0;
  let turns = 0;
  let over = false;
  const ran: { name: string; turn: number }[] = [];
  const counted = (async () => {
    for (; !over; turns++) await turn();
  })();
  const slice = createSlices(() => now);
  const work = async (name: string) => {
    for (let step = 0; step < steps; step++) {
      await slice();
      now++;
      ran.push({ name, turn: turns });
    }
  };
  await Promise.all(works.map(work));
  over = true;
  await counted;
  return [...Map.groupBy(ran, ({ turn }) => turn).values()].map((steps) => steps.map(({ name }) => name).join(""));
}

test("work lets the event loop turn after each slice, and not within one", async () => {
  const ten = "a".repeat(10);
  expect(await turnsOf(30, "a")).toEqual([ten, ten, ten]);
});

test("several works share the slice of a turn, and get the slices in the order in which they wait", async () => {
  const turns = await turnsOf(20, "a", "b", "c");
  const tens = ["a", "b", "c"].map((name) => name.repeat(10));
  expect(turns).toEqual([...tens, ...tens]);
});
