import { expect, test, vi } from "vitest";
import { createRoom } from "./room.ts";

test("what is released takes no room, and to release it again changes nothing", () => {
  const newShare = createRoom(10);
  const share = newShare();
  expect([share.grow(6), share.grow(4)]).toEqual([true, true]);
  share.release();
  share.release();
  const next = newShare();
  expect([next.grow(10), next.grow(1)]).toEqual([true, false]);
});

test("for one that is too large, the first that may be cut off is, and no more than needed", () => {
  const newShare = createRoom(10);
  const cutOff = vi.fn();
  const [busy, first, second, third] = Array.from({ length: 4 }, newShare);
  busy?.grow(3);
  for (const [index, share] of [first, second, third].entries()) {
    share?.grow(2);
    share?.yields(() => cutOff(index + 1));
  }
  expect(newShare().grow(3)).toBe(true);
  expect(cutOff.mock.calls).toEqual([[1]]);
});

test("one that stays is not cut off, and one that yields again is the last", () => {
  const newShare = createRoom(3);
  const cutOff = vi.fn();
  const [stays, again, other] = ["stays", "again", "other"].map((name) => {
    const share = newShare();
    share.grow(1);
    share.yields(() => cutOff(name));
    return share;
  });
  stays?.stays();
  again?.yields(() => cutOff("again"));
  expect([newShare().grow(1), newShare().grow(1), newShare().grow(1)]).toEqual([true, true, false]);
  expect(cutOff.mock.calls).toEqual([["other"], ["again"]]);
  other?.release();
});
