import { expect, test } from "vitest";
import { saveProblem } from "../src/store/problems.ts";
import { alertRows, noneWaits } from "./support/alert-rows.ts";
import { useChatServer } from "./support/chat-server.ts";
import { query } from "./support/postgres.ts";
import { problem } from "./support/problem-report.ts";
import { until, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

/** What of pg-boss's table matters, as version 12 makes it. */
const formerQueue = `
  CREATE SCHEMA pgboss;
  CREATE TYPE pgboss.job_state AS ENUM ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
  CREATE TABLE pgboss.job (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    name text NOT NULL,
    data jsonb,
    state pgboss.job_state NOT NULL DEFAULT 'created',
    created_on timestamptz NOT NULL DEFAULT now(),
    started_on timestamptz,
    heartbeat_on timestamptz,
    PRIMARY KEY (name, id)
  ) PARTITION BY LIST (name);
  CREATE TABLE pgboss.job_common PARTITION OF pgboss.job DEFAULT;
`;

const { area, team, app, env, problem_type } = problem;

/** A text as former versions queued it. */
const text = (count: number) => `*high*: ${count} × terraform_secret in shop/checkout/cart (prod)`;

test("what a former version left in its queue is sent, and what it gave up is listed", async () => {
  const { database, databaseUrl } = await useService();
  const { thread } = await saveProblem(database.knex, problem);
  await query(databaseUrl, formerQueue);
  let age = 100;
  const add = (name: string, state: string, count: number, more: object = {}, held = "NULL") => {
    const data = { channel: "#security", thread, text: text(count), problem: { area, team, app, env, problem_type } };
    const json = JSON.stringify({ ...data, ...more });
    return query(
      databaseUrl,
      `INSERT INTO pgboss.job (name, state, data, created_on, started_on, heartbeat_on)
       VALUES ('${name}', '${state}', '${json}', now() - interval '${age--} minutes', ${held}, ${held})`,
    );
  };
  await add("alerts", "completed", 1);
  await add("alerts", "created", 2);
  await add("alerts", "retry", 3);
  await add("alerts", "active", 4, {}, "now() - interval '2 minutes'");
  await add("alerts", "active", 5, { channel: "#held" }, "now()");
  await add("alerts-dead", "completed", 6, { reason: "not_in_channel" });

  const listed = (await runOn(database, ["alerts", "list", "--json"])).split("\n").slice(0, -1);
  expect(listed.map((line) => JSON.parse(line))).toMatchObject([
    { channel: "#security", ...{ area, team, app, env, problem_type }, reason: "not_in_channel", text: text(6) },
  ]);
  expect(await alertRows(databaseUrl)).toMatchObject([
    { state: "waiting", opening: true, reports: 1 },
    { state: "waiting", opening: false, reports: 2 },
    { state: "dead" },
  ]);
  const chat = await useChatServer();
  await useService({ databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url } });
  await until(() => noneWaits(databaseUrl));
  expect(chat.messages().map(({ text, thread_ts }) => [text, thread_ts])).toEqual([
    [text(2), undefined],
    [`2 more reports, now 4 findings\n${text(4)}`, "ts-1"],
  ]);
  const { rows } = await query(databaseUrl, "SELECT state FROM pgboss.job ORDER BY created_on");
  expect(rows).toEqual([{ state: "completed" }, { state: "active" }]);
});

test("of a queue with more than one batch every alert is adopted", async () => {
  const { database, databaseUrl } = await useService();
  await query(databaseUrl, formerQueue);
  await query(
    databaseUrl,
    `INSERT INTO pgboss.job (name, data)
     SELECT 'alerts', jsonb_build_object('channel', '#' || i, 'thread', i || '@1', 'text', '${text(1)}',
       'problem', '${JSON.stringify({ area, team, app, env, problem_type })}'::jsonb)
     FROM generate_series(1, 1001) AS i`,
  );
  await runOn(database, ["alerts", "list"]);
  expect(await alertRows(databaseUrl)).toHaveLength(1_001);
});
