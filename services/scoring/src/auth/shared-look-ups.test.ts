import { expect, test } from "vitest";
import { boundWaiting, shareLookUps } from "./shared-look-ups.ts";

/** Look-ups of a store that has the keys beginning with `good`, and answers when it is told to. */
function slowStore() {
  const asked: (readonly string[])[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const find = shareLookUps<string>((keys) => {
    asked.push(keys);
    const found = new Map(keys.filter((key) => key.startsWith("good")).map((key) => [key, key.toUpperCase()]));
    return new Promise((resolve, reject) => {
      answers.push((error) => (error ? reject(error) : resolve(found)));
    });
  });
  /** Lets the look-up that runs end, and the next begin. */
  const answer = async (error?: Error) => {
    answers.shift()?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { find, asked, answer };
}

test("what is asked while a look-up runs shares the next one, each key once", async () => {
  const { find, asked, answer } = slowStore();
  const first = find("good-1");
  await answer();
  expect(asked).toEqual([["good-1"]]);
  const later = ["bad-1", "good-2", "bad-1", "bad-2"].map(find);
  await answer();
  expect(await first).toBe("GOOD-1");
  expect(asked.slice(1)).toEqual([["bad-1", "good-2", "bad-2"]]);
  await answer();
  expect(await Promise.all(later)).toEqual([undefined, "GOOD-2", undefined, undefined]);
});

test("however many ask, a key waits for two look-ups at the most", async () => {
  const { find, asked, answer } = slowStore();
  for (let round = 0; round < 5; round++) {
    for (let count = 0; count < 1_000; count++) void find(`bad-${round}-${count}`);
    if (round === 0) await answer();
  }
  const good = find("good");
  await answer();
  await answer();
  expect(await good).toBe("GOOD");
  expect(asked.map(({ length }) => length)).toEqual([1_000, 4_001]);
});

test("one that fails fails for those who share it only", async () => {
  const { find, answer } = slowStore();
  const failed = [find("good-1"), find("good-2")];
  const outcome = Promise.allSettled(failed);
  await answer();
  const next = find("good-3");
  await answer(new Error("gone"));
  await answer();
  expect((await outcome).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await next).toBe("GOOD-3");
});

test("one caller too many is told so, until another has its answer", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const ask = boundWaiting(2, () => promise);
  const waiting = [ask("a"), ask("b")];
  await expect(ask("c")).rejects.toMatchObject({ code: "overloaded" });
  resolve("yes");
  expect(await Promise.all(waiting)).toEqual(["yes", "yes"]);
  expect(await ask("c")).toBe("yes");
});
