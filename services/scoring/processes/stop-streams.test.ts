import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { manyLong, saveLongScores } from "../test/support/long-scores.ts";
import { open, refuses } from "../test/support/own-connection.ts";
import { createDatabase, until } from "../test/support/service.ts";
import { useServiceProcess } from "../test/support/service-process.ts";

const ended = { code: 0, signal: null };

/** Of more scores than sockets hold. The tests only read it. */
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await createDatabase("postgres");
  await saveLongScores(databaseUrl);
});

/** A service, and a stream of its scores whose reader has read only its head. */
async function useStream(accept: string, encoding: string, graceMs: string) {
  const service = await useServiceProcess({ DATABASE_URL: databaseUrl, SHUTDOWN_GRACE_MS: graceMs });
  const address = await service.address();
  const stream = await open(address, "/scores", { headers: { accept, "accept-encoding": encoding } });
  expect([stream.statusCode, stream.headers["content-encoding"] ?? "identity"]).toEqual([200, encoding]);
  return { service, address, stream };
}

describe.each([
  ["text/csv", "identity"],
  ["application/x-ndjson", "gzip"],
])("a stop during a stream of %s, %s", (accept, encoding) => {
  test("lets a reader who goes on come to its end", async () => {
    const { service, address, stream } = await useStream(accept, encoding, "600000");
    service.kill("SIGINT");
    await until(() => refuses(address));
    if (encoding === "identity") expect((await text(stream)).split("\r\n")).toHaveLength(1 + manyLong + 1);
    else for await (const _ of stream);
    expect(stream.complete).toBe(true);
    expect(await service.exit).toEqual(ended);
  });

  test("does not wait for a reader who does not read, and he sees that it broke off", async () => {
    const { service, stream } = await useStream(accept, encoding, "2000");
    service.kill("SIGTERM");
    expect(await service.exit).toEqual(ended);
    await expect(text(stream)).rejects.toThrow(/aborted/);
    expect(stream.complete).toBe(false);
  });

  test("by SIGKILL is seen as a break", async () => {
    const { service, stream } = await useStream(accept, encoding, "2000");
    service.kill("SIGKILL");
    await expect(text(stream)).rejects.toThrow(/aborted/);
    expect(stream.complete).toBe(false);
  });
});
