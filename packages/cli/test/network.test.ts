import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createFetch } from "@maturity/command-line/network";
import { expect, test } from "vitest";
import { useServer } from "./support/collecting.ts";

/** Runs the garbage collector until something is true. */
async function collecting(isDone: () => boolean): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  while (!isDone()) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test.each([
  ["before the answer", false],
  ["within the answer", true],
])("the signal of a request ends it, also when the garbage collector was there: %s", async (_, begins) => {
  const { url, requests } = await useServer((_, response) => {
    if (begins) response.write("x");
  });
  const stop = new AbortController();
  let error: unknown;
  const run = async () => {
    const response = await createFetch()(new Request(url, { signal: stop.signal }));
    await response.text();
  };
  const ended = run().catch((reason) => {
    error = reason;
  });
  let rounds = 0;
  await collecting(() => requests.length > 0 && ++rounds > 20);
  stop.abort(new Error("enough"));
  await ended;
  expect(error).toEqual(new Error("enough"));
});
