import { expect, test } from "vitest";
import { createQueue, type QueueLimits } from "./queue.ts";

/** A queue whose entries leave when the test says so. */
function useQueue(limits: QueueLimits) {
  const { enter, isFull } = createQueue(limits);
  const entered: string[] = [];
  const leave = new Map<string, () => void>();
  return {
    isFull,
    entered,
    /** Resolves when an entry is in, or rejects with the reason. */
    enter(name: string, bytes?: number, signal = new AbortController().signal): Promise<string> {
      return enter(signal, bytes).then(
        (end) => {
          entered.push(name);
          leave.set(name, end);
          return "in";
        },
        (error) => error.code,
      );
    },
    async leave(...names: readonly string[]): Promise<void> {
      for (const name of names) leave.get(name)?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("entries for which there is no room wait, and are let in first in, first out", async () => {
  const queue = useQueue({ atOnce: 2, waiting: 3 });
  for (const name of ["a", "b", "c", "d", "e"]) void queue.enter(name);
  await settled();
  expect(queue.entered).toEqual(["a", "b"]);
  await queue.leave("b");
  expect(queue.entered).toEqual(["a", "b", "c"]);
  await queue.leave("a", "c");
  expect(queue.entered).toEqual(["a", "b", "c", "d", "e"]);
});

test("one more than may wait is refused at once, and none waits by default", async () => {
  const queue = useQueue({ atOnce: 1, waiting: 1 });
  void queue.enter("a");
  expect(queue.isFull()).toBe(false);
  void queue.enter("b");
  expect(queue.isFull()).toBe(true);
  expect(await queue.enter("c")).toBe("overloaded");
  const none = useQueue({ atOnce: 1 });
  expect(await none.enter("a")).toBe("in");
  expect(await none.enter("b")).toBe("overloaded");
});

test("the bytes of what is let in, and of what waits, are bounded; one entry may have more", async () => {
  const queue = useQueue({ atOnce: 10, waiting: 10, bytes: 10 });
  expect(await queue.enter("huge", 20)).toBe("in");
  void queue.enter("large", 8);
  await settled();
  expect([queue.isFull(2), queue.isFull(3)]).toEqual([false, true]);
  void queue.enter("small", 2);
  await queue.leave("huge");
  expect(queue.entered).toEqual(["huge", "large", "small"]);
});

test("a large entry is not passed by those behind it, unless it stops waiting", async () => {
  const queue = useQueue({ atOnce: 10, waiting: 10, bytes: 10 });
  void queue.enter("a", 5);
  const gone = new AbortController();
  const large = queue.enter("large", 8, gone.signal);
  void queue.enter("small", 1);
  await settled();
  expect(queue.entered).toEqual(["a"]);
  gone.abort();
  expect(await large).toBe("overloaded");
  await settled();
  expect(queue.entered).toEqual(["a", "small"]);
});

test("an entry that waits no longer is not let in", async () => {
  const queue = useQueue({ atOnce: 1, waiting: 10 });
  void queue.enter("a");
  const gone = new AbortController();
  const waiting = queue.enter("b", 0, gone.signal);
  void queue.enter("c");
  gone.abort();
  expect(await waiting).toBe("overloaded");
  expect(await queue.enter("d", 0, gone.signal)).toBe("overloaded");
  await queue.leave("a");
  expect(queue.entered).toEqual(["a", "c"]);
});

test("room is given back once, however often, and by work that fails too", async () => {
  const queue = createQueue({ atOnce: 1 });
  const { signal } = new AbortController();
  const [leave, again] = [await queue.enter(signal), async () => "done"];
  leave();
  const held = await queue.enter(signal);
  leave();
  await expect(queue.enter(signal)).rejects.toMatchObject({ code: "overloaded" });
  held();
  await expect(queue.run(signal, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue.run(signal, again)).toBe("done");
});
