import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { createSnapshotMemory } from "./snapshot-memory.ts";

/** A reader of a stream that nobody reads; its end is told by an error when it is cut off. */
function newReader() {
  return new PassThrough().on("error", () => {});
}

test("a snapshot that nobody holds takes no room", () => {
  const newShare = createSnapshotMemory(10, () => {});
  for (let round = 0; round < 3; round++) {
    const share = newShare();
    share.grow(10);
    share.release();
  }
  expect(() => newShare().grow(10)).not.toThrow();
});

test("what is too large is refused, and its room is free again", () => {
  const newShare = createSnapshotMemory(10, () => {});
  const share = newShare();
  share.grow(6);
  expect(() => share.grow(6)).toThrow(expect.objectContaining({ code: "overloaded" }));
  share.release();
  expect(() => newShare().grow(10)).not.toThrow();
});

test("readers that have held one longest are cut off for the next", async () => {
  const onCutOff = vi.fn();
  const newShare = createSnapshotMemory(10, onCutOff);
  const [first, second, other] = [newReader(), newReader(), newReader()];
  for (const readers of [[first, second], [other]]) {
    const share = newShare();
    share.grow(4);
    for (const reader of readers) share.keepFor(reader);
    share.release();
  }
  newShare().grow(4);
  expect([first, second, other].map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
  expect(onCutOff).toHaveBeenCalledTimes(2);
});

test("a snapshot is kept until its last reader is through or gone", async () => {
  const newShare = createSnapshotMemory(10, () => {});
  const [first, last] = [newReader(), newReader()];
  const share = newShare();
  share.grow(10);
  share.keepFor(first);
  share.keepFor(last);
  share.release();
  const leave = async (reader: PassThrough) => {
    const closed = once(reader, "close");
    reader.destroy();
    await closed;
  };
  await leave(first);
  const next = newShare();
  next.grow(0);
  expect(last.destroyed).toBe(false);
  await leave(last);
  expect(() => next.grow(10)).not.toThrow();
});
