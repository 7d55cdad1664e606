import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPageQueue } from "./page-queue.ts";

const caller = { waits: () => true, isPatient: false };

function pageQueue() {
  let refused = 0;
  return { ...createPageQueue(() => void refused++), refused: () => refused };
}

/** Pages that are made when the test says so, and at its end. */
function held({ take }: Pick<ReturnType<typeof pageQueue>, "take">) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const asked: Promise<string>[] = [];
  let isOver = false;
  onTestFinished(async () => {
    isOver = true;
    for (const end of ends) end();
    await Promise.allSettled(asked);
  });
  const ask = (list: string, name = list) => {
    const page = take(
      list,
      () => {
        begun.push(name);
        return isOver ? Promise.resolve(name) : new Promise<string>((resolve) => void ends.push(() => resolve(name)));
      },
      caller,
    );
    asked.push(page);
    return page;
  };
  return { begun, ask, end: () => ends.shift()?.() };
}

/** More turns of the event loop than anything here takes. */
async function settle(): Promise<void> {
  for (let passed = 0; passed < 100; passed++) await turn();
}

test("at most four of a list are made at a time, in the order of their callers, and those of other lists beside them", async () => {
  const queue = pageQueue();
  const { begun, ask, end } = held(queue);
  const pages = ["1", "2", "3", "4", "5", "6"].map((name) => ask("/scores", name));
  void ask("/apps");
  await settle();
  expect(begun).toEqual(["1", "2", "3", "4", "/apps"]);
  end();
  expect(await pages[0]).toBe("1");
  await settle();
  expect(begun.slice(5)).toEqual(["5"]);
});

test("one that fails gives its place to the next", async () => {
  const { take } = pageQueue();
  const fails = () => Promise.reject(new Error("no page"));
  const failed = await Promise.allSettled(Array.from({ length: 10 }, () => take("/apps", fails, caller)));
  expect(failed.map(({ status }) => status)).toEqual(Array(10).fill("rejected"));
  expect(await take("/apps", async () => "a page", caller)).toBe("a page");
});

test("who has waited for ten seconds is refused, and who is patient waits", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const queue = pageQueue();
  const { ask, end } = held(queue);
  for (let page = 0; page < 4; page++) void ask("/scores");
  const refused = expect(ask("/scores")).rejects.toMatchObject({ code: "overloaded" });
  const patient = queue.take("/scores", async () => "made", { ...caller, isPatient: true });
  await settle();
  vi.advanceTimersByTime(10_000);
  await refused;
  expect(queue.refused()).toBe(1);
  end();
  expect(await patient).toBe("made");
});

test("for a caller who is gone, no page is made", async () => {
  const queue = pageQueue();
  let made = 0;
  const gone = queue.take("/apps", async () => void made++, { ...caller, waits: () => false });
  await expect(gone).rejects.toMatchObject({ code: "overloaded" });
  expect([made, queue.refused()]).toEqual([0, 0]);
});
