import { request as httpRequest } from "node:http";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { query } from "./support/postgres.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { type TestService, until, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const checkout = { area: "shop", team: "checkout" };
const till = { area: "shop", team: "till" };

/** A service with some applications of one team. */
async function useTeam(apps: number): Promise<TestService> {
  const service = await useService();
  const raw = { critical: 0, high: 0, medium: 0 };
  const names = Array.from({ length: apps }, (_, index) => (index === 0 ? "cart" : `app-${index}`));
  const scores = names.map((app) => ({ ...cart, app, env: "prod", scorecard: "security", metric: "dast", raw }));
  expect(await post(service, "/scores", { scores })).toMatchObject({ status: 200 });
  return service;
}

/** The teams of all scores, how many there are, and the former names. */
async function stored({ databaseUrl }: TestService): Promise<object> {
  const { rows } = await query(
    databaseUrl,
    `SELECT (SELECT json_agg(DISTINCT team) FROM scores_by_name) AS teams, (SELECT count(*)::int FROM scores) AS scores,
       (SELECT count(*)::int FROM former_names) AS "formerNames",
       (SELECT count(*)::int FROM audit WHERE action = 'app.move') AS audited`,
  );
  return rows[0];
}

/** Asks for a move over a connection of its own; `hangUp` closes it, and waits until the service knows. */
async function askOnce({ server }: TestService, body: object): Promise<{ hangUp(): Promise<void> }> {
  await server.start();
  const taken = new Promise<void>((resolve) => {
    server.listener.once("connection", (socket) => socket.once("close", () => resolve()));
  });
  const asked = httpRequest({
    ...{ host: "127.0.0.1", port: server.info.port, path: "/apps/move", method: "POST" },
    headers: { "content-type": "application/json" },
  });
  asked.on("error", () => {}); // it is hung up
  asked.end(JSON.stringify(body));
  return {
    async hangUp() {
      asked.destroy();
      await taken;
    },
  };
}

const isIdle = ({ database }: TestService) => database.background.client.pool.numUsed() === 0;

test("a caller who hangs up while his move waits gets none, and the next one gets his", async () => {
  const service = await useTeam(1);
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN; SELECT FROM applications FOR UPDATE");
  const asked = await askOnce(service, { from: cart, to: basket });
  await until(async () => {
    const { rows } = await query(service.databaseUrl, "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    return rows.length > 0;
  });
  await asked.hangUp();
  await holder.query("ROLLBACK");
  await until(() => isIdle(service));
  expect(await stored(service)).toEqual({ teams: ["checkout"], scores: 1, formerNames: 0, audited: 0 });
  expect(await post(service, "/apps/move", { from: cart, to: basket })).toMatchObject({ status: 200 });
  expect(isIdle(service)).toBe(true);
});

test("a move whose caller hangs up at any moment is whole, or did not happen", async () => {
  const service = await useTeam(200);
  const [nothing, whole] = [
    { teams: ["checkout"], scores: 200, formerNames: 0, audited: 0 },
    { teams: ["till"], scores: 200, formerNames: 1, audited: 1 },
  ];
  for (let number = 0; number < 10; number++) {
    const asked = await askOnce(service, { from: checkout, to: till });
    // Each time it is at another statement.
    for (let look = 0; look < number; look++) await query(service.databaseUrl, "SELECT");
    await asked.hangUp();
    await until(() => isIdle(service));
    expect([nothing, whole]).toContainEqual(await stored(service));
    if (JSON.stringify(await stored(service)) === JSON.stringify(whole)) break;
  }
  const { status } = await post(service, "/apps/move", { from: checkout, to: till });
  expect([200, 404]).toContain(status);
  expect(await stored(service)).toEqual(whole);
});

test("a database that cannot give a score to another application says so, and nothing is changed", async () => {
  const service = await useTeam(2);
  const sast = {
    ...cart,
    env: "prod",
    scorecard: "security",
    metric: "sast",
    raw: { critical: 0, high: 0, medium: 0 },
  };
  expect(await post(service, "/score", sast)).toMatchObject({ status: 200 });
  await query(
    service.databaseUrl,
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       RAISE EXCEPTION 'modifying the partition value of rows is not allowed' USING ERRCODE = 'feature_not_supported';
     END
     $$;
     CREATE TRIGGER refuse BEFORE UPDATE OF target_id ON scores FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );
  const to = { ...cart, app: "app-1" };
  expectRefusal(await post(service, "/apps/move", { from: cart, to, merge: true }), {
    ...{ status: 500, code: "internal" },
    message: /the database does not support what this needs; nothing is changed: .* Citus/,
  });
  expect(await stored(service)).toEqual({ teams: ["checkout"], scores: 3, formerNames: 0, audited: 0 });
  expect(await post(service, "/apps/move", { from: cart, to: basket })).toMatchObject({ status: 200 });
});
