import { expect, test } from "vitest";
import type { Terms } from "../transaction.ts";
import { createBatcher } from "./batcher.ts";

/** A value is the name of its row, or several names. */
function useBatcher(meet: (values: readonly string[], terms: Terms) => unknown, connections = 10) {
  const stored: string[] = [];
  const tried: string[] = [];
  const save = createBatcher<string, string>({
    async store(values, terms) {
      tried.push(values.join("+"));
      await new Promise(setImmediate);
      await meet(values, terms);
      terms.signal.throwIfAborted();
      stored.push(values.join("+"));
      return values.map((value) => `${value} is stored`);
    },
    rowsOf: (value) => value.split(" "),
    ...{ maxRows: 100, atOnce: 1, connections },
  });
  return { save, stored, tried };
}

const error = (code: string) => Object.assign(new Error(code), { code });
const [locked, deadlock, endedIdle, fault] = ["55P03", "40P01", "25P03", "22003"].map(error);

const statuses = async (saves: readonly Promise<string>[]) =>
  (await Promise.allSettled(saves)).map(({ status }) => status);

test("entries that arrive while a statement runs share the next one, but for those of the same row", async () => {
  const { save, stored } = useBatcher(() => {});
  const answers = await Promise.all(["a", "b", "c", "b", "c d", "e"].map((value) => save(value)));
  expect(answers.at(-1)).toBe("e is stored");
  expect(stored).toEqual(["a", "b+c+e", "b+c d"]);
});

test("entries of a statement that meets a locked row are stored one by one, and others go on beside them", async () => {
  let isLocked = true;
  const { save, stored } = useBatcher((values) => {
    if (isLocked && values.includes("held")) throw locked;
  });
  const saves = ["a", "held", "b"].map((value) => save(value));
  await Promise.all([saves[0], saves[2], save("later")]);
  expect(stored).toEqual(expect.arrayContaining(["a", "b", "later"]));
  const behind = save("held");
  await save("even later");
  isLocked = false;
  await Promise.all([...saves, behind]);
  expect(stored.filter((one) => one === "held")).toHaveLength(2);
});

test.each(["a", "a b"])(
  "an entry of the rows %s that meets a lock again and again is stored in the end",
  async (value) => {
    let failures = 5;
    const { save, stored } = useBatcher(() => {
      if (failures-- > 0) throw locked;
    });
    await Promise.all([save(value), save(value)]);
    expect(stored).toEqual([value, value]);
  },
);

test("an entry that cannot be stored fails alone", async () => {
  const { save } = useBatcher((values) => {
    if (values.includes("bad")) throw fault;
  });
  expect(await statuses(["first", "a", "bad", "b"].map((value) => save(value)))).toEqual([
    ...["fulfilled", "fulfilled", "rejected", "fulfilled"],
  ]);
});

test.each([
  ["a deadlock", deadlock],
  ["a stall that ended the transaction", endedIdle],
])("after %s all are stored in the end", async (_, error) => {
  let failures = 3;
  const { save } = useBatcher(() => {
    if (failures-- > 0) throw error;
  });
  expect(await statuses(["a", "b", "c"].map((value) => save(value)))).toEqual(Array(3).fill("fulfilled"));
});

test("who is aborted before the commit is not stored, and the others of its statement are", async () => {
  const gone = new AbortController();
  const { save, stored, tried } = useBatcher((values) => {
    if (values.includes("gone")) gone.abort(new Error("gone"));
  });
  const saves = [save("first"), save("a"), save("gone", gone.signal), save("b")];
  await expect(saves[2]).rejects.toThrow("gone");
  await Promise.all([saves[0], saves[1], saves[3]]);
  expect(tried).toEqual(["first", "a+gone+b", "a+b"]);
  expect(stored).toEqual(["first", "a+b"]);
});

test("who is aborted while others wait for a locked row is refused, and never tried again", async () => {
  const { save, tried } = useBatcher(() => {
    throw locked;
  });
  const gone = new AbortController();
  const waits = save("held", gone.signal);
  setImmediate(() => gone.abort(new Error("gone")));
  await expect(waits).rejects.toThrow("gone");
  const before = tried.length;
  await new Promise(setImmediate);
  expect(tried).toHaveLength(before);
});

test.each([4, 10])("of %i connections some are left while many entries wait for locked rows", async (connections) => {
  let [underWay, most] = [0, 0];
  const { save } = useBatcher(async (values, { lockMs }) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, values.some((value) => value.startsWith("held")) ? lockMs : 0));
    underWay--;
    if (values.some((value) => value.startsWith("held"))) throw locked;
  }, connections);
  const gone = new AbortController();
  const held = Array.from({ length: 30 }, (_, index) => save(`held-${index}`, gone.signal));
  const refused = statuses(held);
  for (let index = 0; index < 20; index++) await save(`free-${index}`);
  gone.abort();
  expect(new Set(await refused)).toEqual(new Set(["rejected"]));
  expect(most).toBeLessThan(connections);
});

test("no more than 500 wait for a locked row", async () => {
  let isLocked = true;
  const { save, tried } = useBatcher(() => {
    if (isLocked) throw locked;
  });
  const first = save("held");
  while (tried.length < 2) await new Promise(setImmediate);
  const refused: unknown[] = [];
  const saves = Array.from({ length: 600 }, () => save("held").catch((error) => refused.push(error.message)));
  while (refused.length === 0) await new Promise(setImmediate);
  isLocked = false;
  await Promise.all([first, ...saves]);
  expect(refused).toEqual(Array(101).fill("500 reports wait for locked rows already"));
});
