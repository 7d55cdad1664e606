import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { compileCache } from "../../../services/scoring/test/support/compile-cache.ts";
import { manyLong, saveLongScores } from "../../../services/scoring/test/support/long-scores.ts";
import { freePort } from "../../../services/scoring/test/support/postgres.ts";
import { createDatabase } from "../../../services/scoring/test/support/service.ts";
import { useServiceProcess } from "../../../services/scoring/test/support/service-process.ts";
import { useTcpProxy } from "../../../services/scoring/test/support/tcp-proxy.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Of a long list. The tests only read it. */
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await createDatabase("postgres");
  await saveLongScores(databaseUrl);
});

/** A service with the list, which loses its database when the proxy is shut. */
async function useLongList() {
  const proxy = useTcpProxy(databaseUrl, await freePort());
  await proxy.open();
  const service = await useServiceProcess({ DATABASE_URL: proxy.url });
  return { service, proxy, url: await service.address() };
}

/** `maturity score list`, whose reader takes the beginning, and the rest once something has happened. */
async function list(url: string, flags: readonly string[], happen: () => Promise<unknown>) {
  const child = spawn(
    process.execPath,
    ["--conditions=@maturity/source", main, "score", "list", ...flags, "--url", url],
    { env: { ...compileCache, PATH: process.env.PATH }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const ended = once(child, "close");
  const stderr = text(child.stderr);
  await once(child.stdout, "readable");
  await happen();
  const stdout = await text(child.stdout);
  const [code] = await ended;
  return { code, stdout, stderr: await stderr };
}

const losses: Readonly<Record<string, (list: Awaited<ReturnType<typeof useLongList>>) => Promise<unknown>>> = {
  "the service is killed": async ({ service }) => {
    service.kill("SIGKILL");
    await service.exit;
  },
  "the service loses its database": ({ proxy }) => proxy.shut(),
};

describe.each(Object.entries(losses))("when %s", (_, lose) => {
  test("CSV that breaks off is an error", async () => {
    const service = await useLongList();
    const { code, stdout, stderr } = await list(service.url, ["--csv"], () => lose(service));
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(/^maturity: the answer broke off: /) });
    expect(stdout.split("\r\n").length).toBeLessThan(1 + manyLong);
  });

  test("NDJSON of which pages are missing is an error, and its last line says so", async () => {
    const service = await useLongList();
    const { code, stdout } = await list(service.url, ["--ndjson", "--timeout", "5"], () => lose(service));
    expect(code).toBe(4);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThan(manyLong);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ error: { message: expect.any(String) } });
  });
});

test("a list that nothing disturbs is whole", async () => {
  const { url } = await useLongList();
  const { code, stdout } = await list(url, ["--csv"], async () => {});
  expect([code, stdout.split("\r\n").length]).toEqual([0, 1 + manyLong + 1]);
});
