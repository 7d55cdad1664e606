import { request } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { query } from "./support/postgres.ts";
import { until, useService } from "./support/service.ts";

const score = (high: number) => ({
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "dast" },
  raw: { high, medium: 0 },
});

/** A listening service that looks for tokens in vain until it is asked to go on, and a good token. */
async function useLateLookUps() {
  const service = await useService({ auth: "token" });
  const { knex } = service.database;
  const token = createToken();
  await insertToken(knex, { name: "late", hash: hashToken(token), scopes: ["admin"], bounds: {} });
  await service.server.start();
  const acquire = knex.client.acquireConnection.bind(knex.client);
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  let held = 0;
  vi.spyOn(knex.client, "acquireConnection").mockImplementation(async () => {
    held++;
    await gate.promise;
    return acquire();
  });
  return {
    service,
    held: () => held,
    goOn: gate.resolve,
    /** How often the score changed. */
    async changes(): Promise<number> {
      return (await query(service.databaseUrl, "SELECT FROM score_changes")).rowCount ?? 0;
    },
    /** Reports a score; `answer` is its status and code, or that the caller hung up. */
    report(high: number) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const outgoing = request(new URL("/score", service.server.info.uri), { method: "POST", headers, agent: false });
      const answer = new Promise<string>((resolve) => {
        outgoing.once("error", () => resolve("hung up"));
        outgoing.once("response", async (response) => {
          const body = JSON.parse((await response.setEncoding("utf8").toArray()).join(""));
          resolve(`${response.statusCode} ${body.code ?? "stored"}`);
        });
      });
      outgoing.end(JSON.stringify(score(high)));
      return { answer, hangUp: () => outgoing.destroy() };
    },
  };
}

test("a report whose time is up while its token is looked for is refused, and never stored", async () => {
  const { report, held, goOn, changes } = await useLateLookUps();
  const late = report(1);
  await until(() => held() === 1);
  expect(await late.answer).toBe("503 store-unavailable");
  goOn();
  await until(async () => (await report(2).answer) === "200 stored");
  expect(await changes()).toBe(1);
});

test("a report whose caller hangs up while its token is looked for is never stored", async () => {
  const { service, report, held, goOn, changes } = await useLateLookUps();
  const gone = report(1);
  await until(() => held() === 1);
  gone.hangUp();
  expect(await gone.answer).toBe("hung up");
  const connections = () =>
    new Promise<number>((resolve) => service.server.listener.getConnections((_, count) => resolve(count)));
  await until(async () => (await connections()) === 0);
  goOn();
  await until(async () => (await report(2).answer) === "200 stored");
  expect(await changes()).toBe(1);
});
