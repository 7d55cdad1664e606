import { beforeEach, expect, test, vi } from "vitest";
import { type Computation, cacheAnswers, shareAnswers } from "./cache.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  return () => vi.useRealTimers();
});

test("an answer is shared while it is on its way and for 15 seconds from the question on", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const ask = vi.fn((_: string) => promise);
  const read = cacheAnswers(ask, (question) => question);
  const first = read("areas");
  vi.advanceTimersByTime(10_000);
  expect(read("areas")).toBe(first);
  resolve("all");
  await first;
  vi.advanceTimersByTime(4_000);
  expect(read("areas")).toBe(first);
  vi.advanceTimersByTime(1_100);
  await read("areas");
  expect(ask).toHaveBeenCalledTimes(2);
});

test("an answer that took longer than it is kept, and an error, are given to those who waited and to nobody else", async () => {
  const ask = vi.fn(async (question: string) => {
    vi.advanceTimersByTime(20_000);
    if (question === "broken") throw new Error("no database");
  });
  const read = cacheAnswers(ask, (question) => question);
  await read("slow");
  await read("slow");
  await expect(read("broken")).rejects.toThrow("no database");
  await expect(read("broken")).rejects.toThrow("no database");
  expect(ask).toHaveBeenCalledTimes(4);
});

/** Answers that begin, and are there, when the test says so. */
function useShared() {
  const computations: (Computation<string> & PromiseWithResolvers<string>)[] = [];
  const ask = shareAnswers<string, string>(
    (computation) => {
      const promised = Promise.withResolvers<string>();
      computations.push({ ...computation, ...promised });
      return promised.promise;
    },
    { keyOf: ([key = ""]) => key },
  );
  return { ask, computations };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("those who ask before an answer begins share it; whoever asks later gets the next one, when the first is there", async () => {
  const { ask, computations } = useShared();
  const first = [ask("a1"), ask("a2")];
  await settled();
  const joined = ask("a3");
  expect(computations.map(({ questions }) => questions)).toEqual([["a1", "a2", "a3"]]);
  computations[0]?.begin();
  const later = [ask("a4"), ask("a5")];
  const other = ask("b1");
  await settled();
  expect(computations.map(({ questions }) => questions)).toEqual([["a1", "a2", "a3"], ["b1"]]);
  computations[0]?.resolve("early");
  computations[1]?.resolve("other");
  expect(await Promise.all([...first, joined, other])).toEqual(["early", "early", "early", "other"]);
  await settled();
  expect(computations[2]?.questions).toEqual(["a4", "a5"]);
  computations[2]?.begin();
  computations[2]?.resolve("late");
  expect(await Promise.all(later)).toEqual(["late", "late"]);
});

test("an error reaches all callers that share it, and the next answer is computed all the same", async () => {
  const { ask, computations } = useShared();
  const failed = [ask("a1"), ask("a2")].map((answer) => expect(answer).rejects.toThrow("broken"));
  await settled();
  computations[0]?.begin();
  const next = ask("a3");
  computations[0]?.reject(new Error("broken"));
  await Promise.all(failed);
  await settled();
  computations[1]?.resolve("made");
  expect(await next).toBe("made");
});

test("an answer is wanted while one of those who ask is there, and once it has begun they get it", async () => {
  const { ask, computations } = useShared();
  const [gone, here] = [new AbortController(), new AbortController()];
  const left = expect(ask("a1", gone.signal)).rejects.toThrow("gone");
  const stays = ask("a2", here.signal);
  await settled();
  gone.abort(new Error("gone"));
  await left;
  expect(computations[0]?.signal.aborted).toBe(false);
  computations[0]?.begin();
  here.abort(new Error("late"));
  computations[0]?.resolve("made");
  expect(await stays).toBe("made");
});

test("nothing is made for those who are all gone, and whoever asks after them gets an answer", async () => {
  const { ask, computations } = useShared();
  const gone = new AbortController();
  const [first] = [ask("a1")];
  await settled();
  computations[0]?.begin();
  const left = ["a2", "a3"].map((question) => expect(ask(question, gone.signal)).rejects.toThrow("gone"));
  gone.abort(new Error("gone"));
  await Promise.all(left);
  await expect(ask("a4", gone.signal)).rejects.toThrow("gone");
  const later = ask("a5");
  computations[0]?.resolve("first");
  expect(await first).toBe("first");
  await settled();
  expect(computations.map(({ questions }) => questions)).toEqual([["a1"], ["a5"]]);
  computations[1]?.resolve("later");
  expect(await later).toBe("later");
});
