import { EventEmitter } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSlices } from "./slices.ts";

/**
 * Lets works of so many steps of a millisecond run at once, beside requests that take `requestsMs` in each turn of the
 * event loop, and returns which ran in each turn.
 */
async function turnsOf(requestsMs: number, steps: number, ...works: readonly string[]): Promise<string[]> {
  let now = 0;
  let turns = 0;
  let over = false;
  const ran: { name: string; turn: number }[] = [];
  const counted = (async () => {
    for (; !over; turns++) {
      await turn();
      now += requestsMs;
    }
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
  expect(await turnsOf(40, 30, "a")).toEqual([ten, ten, ten]);
});

test.each([
  [0, 1],
  [6, 3],
  [14, 7],
  [1_000, 10],
])("where requests take %d ms a turn, a slice lasts %d ms", async (requestsMs, sliceMs) => {
  const [, ...later] = await turnsOf(requestsMs, 40, "a");
  expect(later[0]).toBe("a".repeat(sliceMs));
});

test("several works share the slice of a turn, and get the slices in the order in which they wait", async () => {
  const turns = await turnsOf(40, 20, "a", "b", "c");
  const tens = ["a", "b", "c"].map((name) => name.repeat(10));
  expect(turns).toEqual([...tens, ...tens]);
});

/** Slices in which no time passes, beside a listener. */
function beside() {
  const listener = new EventEmitter();
  let now = 0;
  const slice = createSlices(() => now++ * 100);
  slice.watch(listener);
  const begun: string[] = [];
  const note = async (name: string, waited: Promise<void> | undefined) => {
    await waited;
    begun.push(name);
  };
  return {
    begun,
    long: (name: string) => void note(name, slice()),
    short: (name: string) => void note(name, slice.begin()),
    connect: () => void listener.emit("connection"),
  };
}

test("short work begins at once while nobody connects, and before long work while somebody does", async () => {
  const { begun, long, short, connect } = beside();
  long("long");
  short("a");
  await Promise.resolve();
  expect(begun).toEqual(["a"]);
  connect();
  for (const name of ["b", "c"]) short(name);
  await turn();
  expect(begun).toEqual(["a"]);
  await turn();
  expect(begun).toEqual(["a", "b", "c", "long"]);
});

test("all work waits for some turns in which somebody connects, and not for ever", async () => {
  const { begun, long, short, connect } = beside();
  const turns = async (count: number) => {
    for (let passed = 0; passed < count; passed++) {
      connect();
      await turn();
    }
  };
  connect();
  long("long");
  short("short");
  await turns(40);
  expect(begun).toEqual([]);
  await turns(20);
  expect(begun).toEqual(["short", "long"]);
});
