import { expect, test, vi } from "vitest";
import { freePort } from "../test/support/postgres.ts";
import { useTcpProxy } from "../test/support/tcp-proxy.ts";
import { noFigures } from "./support/figures.ts";
import { readScores, sendScores } from "./support/numbered-scores.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useInstance } from "./support/scene.ts";

test("one of two instances reaches the database late, after its callers were refused", async ({ task }) => {
  const { url } = await useOwnPostgres();
  const proxy = useTcpProxy(url, await freePort());
  await proxy.open();
  const held = await useInstance({ DATABASE_URL: proxy.url, LOG_LEVEL: "fatal" });
  const other = await useInstance({ DATABASE_URL: url, LOG_LEVEL: "fatal" });
  const figures = noFigures();
  task.meta.figures = figures;
  const apps = Array.from({ length: 20 }, (_, index) => `app-${index}`);
  await sendScores(held.address, apps, 1);
  for (let round = 0; round < 5; round++) {
    proxy.holdBack("store-scores");
    const old = sendScores(held.address, apps, 10 * round + 2);
    await vi.waitUntil(proxy.holds, { timeout: 30_000 });
    expect(new Set(await old)).toEqual(new Set([503]));
    const acknowledged = await sendScores(other.address, apps, 10 * round + 3);
    expect(new Set(acknowledged)).toEqual(new Set([200]));
    await proxy.letGo();
    const stored = await readScores(url);
    const lost = stored.filter((minutes) => minutes !== 10 * round + 3).length;
    figures.rounds++;
    figures.requests += 2 * apps.length;
    figures.acknowledged += apps.length;
    figures.refused += apps.length;
    figures.lost += lost;
    expect({ rows: stored.length, lost }).toEqual({ rows: apps.length, lost: 0 });
  }
});
