import { describe, expect, test } from "vitest";
import { freePort } from "./support/postgres.ts";
import { problem } from "./support/problem-report.ts";
import { type Answer, expectRefusal, post, rows } from "./support/requests.ts";
import { createDatabase, type TestService, until, useService } from "./support/service.ts";
import { type TcpProxy, useTcpProxy } from "./support/tcp-proxy.ts";

/** Two instances; one reaches the database through a proxy. */
async function useTwoCopies(): Promise<{ held: TestService; other: TestService; proxy: TcpProxy }> {
  const databaseUrl = await createDatabase("postgres");
  const proxy = useTcpProxy(databaseUrl, await freePort());
  await proxy.open();
  return {
    proxy,
    held: await useService({ databaseUrl: proxy.url }),
    other: await useService({ databaseUrl }),
  };
}

const score = (high: number) => ({
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "image_scan" },
  raw: { critical: 0, high, medium: 0 },
});

/** How each endpoint is sent a value, and where that is stored. */
const endpoints = {
  "POST /score": { url: "/score", body: score, table: "scores", holds: (high: number) => ({ raw: score(high).raw }) },
  "POST /scores": {
    url: "/scores",
    body: (high: number) => ({ scores: [score(high), { ...score(high), env: "staging" }] }),
    table: "scores",
    holds: (high: number) => ({ raw: score(high).raw }),
  },
  "POST /problem/scan-result": {
    url: "/problem/scan-result",
    body: (count: number) => ({ ...problem, count, details: [] }),
    table: "problems",
    holds: (count: number) => ({ count }),
  },
} as const;

/** From where on the proxy keeps everything back, and what goes before it. */
const moments = { "before the statement": "INSERT INTO", "before the commit": "COMMIT" };

describe.for(Object.entries(endpoints))("%s that is held back on its way to the database", ([_, endpoint]) => {
  const { url, body, table, holds } = endpoint;

  test.for(Object.entries(moments))(
    "%s is refused, and does not replace what another instance acknowledged since",
    async ([_, from]) => {
      const { held, other, proxy } = await useTwoCopies();
      proxy.holdBack(from);
      expectRefusal(await post(held, url, body(1)), { status: 503, code: "store-unavailable" });
      const acknowledged: Answer = await post(other, url, body(2));
      expect(acknowledged.status).toBe(200);
      await proxy.letGo();
      for (const row of await rows(other, table)) expect(row).toMatchObject(holds(2));
    },
  );
});

test("what its caller no longer waits for is not stored", async () => {
  const { held, other, proxy } = await useTwoCopies();
  await held.server.start();
  proxy.holdBack("INSERT INTO");
  const gone = new AbortController();
  const sent = fetch(`${held.server.info.uri}/score`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(score(1)),
    signal: gone.signal,
  });
  await until(proxy.holds);
  gone.abort();
  await expect(sent).rejects.toThrow();
  expect((await post(other, "/score", score(2))).status).toBe(200);
  await proxy.letGo();
  await until(() => held.database.knex.client.pool.numUsed() === 0);
  expect(await rows(other, "scores")).toMatchObject([{ raw: score(2).raw }]);
});
