import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

/** Begins pieces of work, and tells which have begun. */
function work() {
  const listener = new EventEmitter();
  const turns = createTurns(listener);
  const begun: string[] = [];
  return {
    begun,
    begin: (name: string, bytes: number) => void turns(bytes).then(() => begun.push(name)),
    connect: () => void listener.emit("connection"),
  };
}

test("while nobody connects work begins at once", async () => {
  const { begin, begun } = work();
  begin("a", 1_000_000);
  begin("b", 100);
  await Promise.resolve();
  expect(begun).toEqual(["a", "b"]);
});

test("while somebody connects in each turn, each turn begins one, and a large one waits for many", async () => {
  const { begin, begun, connect } = work();
  const turn = async () => {
    connect();
    await nextTurn();
    return begun.length;
  };
  connect();
  for (const name of ["a", "b"]) begin(name, 100);
  begin("large", 10 * 2_048);
  begin("c", 100);
  expect([await turn(), await turn()]).toEqual([1, 2]);
  expect([await turn(), await turn(), await turn()]).toEqual([2, 2, 2]);
  for (let turns = 0; turns < 10; turns++) await turn();
  expect(begun).toEqual(["a", "b", "large", "c"]);
});

test("when nobody connects any more all begin", async () => {
  const { begin, begun, connect } = work();
  connect();
  for (const name of ["a", "large", "b"]) begin(name, 1_000_000);
  await nextTurn();
  expect(begun).toEqual([]);
  await nextTurn();
  expect(begun).toEqual(["a", "large", "b"]);
});
