import { expect, test } from "vitest";
import { readableLog } from "./support/log.ts";
import { get, post } from "./support/own-connection.ts";
import { useService } from "./support/service.ts";

const score = (app: string) => ({
  ...{ area: "shop", team: "checkout", app, env: "prod", scorecard: "security", metric: "dast" },
  raw: { high: 0, medium: 0 },
});

test("while the store stands still, what there is no room for is turned away, and health checks are answered", async () => {
  const log = readableLog();
  const { server, database } = await useService({ logger: log.logger });
  await server.start();
  const address = server.info.uri;
  const trx = await database.background.transaction();
  await trx.raw("LOCK TABLE scores");
  const padding = "x".repeat(190);
  const batch = (client: number) => ({
    scores: Array.from({ length: 1_000 }, (_, index) => score(`${padding}-${client}-${index}`)),
  });
  const codes = await Promise.all(
    Array.from({ length: 30 }, async (_, client) => {
      const response = await post(address, "/scores", batch(client));
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect((await fetch(new URL("/livez", address))).status).toBe(200);
      return ((await response.json()) as { code: string }).code;
    }),
  );
  expect(new Set(codes)).toEqual(new Set(["overloaded", "store-unavailable"]));
  expect(await get(address, "/metrics/service")).toMatch(
    /^maturity_overload_total\{what="request_refused"\} [1-9]\d*$/m,
  );
  expect(log.from(40).map(({ msg }) => msg)).toContain("overloaded: refused what there is no room for");
  await trx.rollback();
  expect((await post(address, "/score", score("after"))).status).toBe(200);
});
