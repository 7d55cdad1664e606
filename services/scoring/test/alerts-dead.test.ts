import { describe, expect, test } from "vitest";
import { OperatorError } from "../src/model/errors.ts";
import type { Fact } from "../src/model/fact.ts";
import { deleteOld } from "../src/notifications/dead-letters.ts";
import { insertNotifications } from "../src/notifications/outbox.ts";
import type { Database } from "../src/store/database.ts";
import { endLeases, noneWaits } from "./support/alert-rows.ts";
import { type ChatReply, useChatServer } from "./support/chat-server.ts";
import { readableLog } from "./support/log.ts";
import { query } from "./support/postgres.ts";
import { report } from "./support/problem-report.ts";
import { createDatabase, engines, type TestService, until, useService } from "./support/service.ts";
import { runCommand, runOn, runWithoutSettings } from "./support/service-command.ts";

const chat = { token: "xoxb-1", apiUrl: "http://127.0.0.1:9" };

/** A service whose chat server refuses the token until it is mended. */
async function useMendable(databaseUrl?: string) {
  let reply: ChatReply = { error: "invalid_auth" };
  const server = await useChatServer(() => reply);
  const service = await useService({ ...(databaseUrl && { databaseUrl }), chat: { ...chat, apiUrl: server.url } });
  const mend = () => {
    reply = { ok: true };
  };
  return { server, service, mend };
}

async function untilDead(service: TestService, count: number): Promise<void> {
  await until(async () => (await list(service.database)).length === count);
}

async function list(database: Database): Promise<{ id: string; app: string; reason: string }[]> {
  const lines = (await runOn(database, ["notifications", "list", "--json"])).split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

const digestOf = (subject: string): Fact => ({
  ...noNames,
  ...{ type: "digest", subject, severity: null },
  data: { since: "Monday", sections: [] },
});

const noNames = { area: null, team: null, app: null, env: null };

/** A figure of GET /metrics/service. */
async function figure({ server }: TestService, name: string): Promise<number> {
  const { payload } = await server.inject("/metrics/service");
  return Number(new RegExp(`^${name} (.+)$`, "m").exec(payload)?.[1]);
}

describe.each(engines)("maturity-service notifications on %s", (kind) => {
  test("lists dead letters and why, and what is put back is sent once", async () => {
    const { service, server, mend } = await useMendable(await createDatabase(kind));
    await report(service);
    await untilDead(service, 1);
    await report(service, { app: "basket", chat_channel: "#other" });
    await untilDead(service, 2);
    const table = await runOn(service.database, ["notifications", "list"]);
    expect(table).toMatch(/^ID +DEAD SINCE +DESTINATION +APP +REASON +TEXT\n/);
    const cart = /^([0-9a-f-]{36}) +\S+Z +chat #security +shop\/checkout\/cart \(prod\) +invalid_auth +high: 2 × .*…$/m;
    expect(table).toMatch(cart);
    expect(await list(service.database)).toEqual([
      {
        id: expect.any(String),
        dead_since: expect.any(String),
        ...{ destination: "chat", address: "#security", type: "problem.opened" },
        ...{ area: "shop", team: "checkout", app: "cart", env: "prod" },
        reason: "invalid_auth",
        text: expect.stringContaining("\n• main.tf:3 AWS key\n"),
      },
      expect.objectContaining({ app: "basket", address: "#other" }),
    ]);
    mend();
    const [, id = ""] = cart.exec(table) ?? [];
    expect(await runOn(service.database, ["notifications", "retry", id])).toBe("Notifications put back: 1.\n");
    await until(() => server.messages().length === 1);
    expect((await list(service.database)).map(({ app }) => app)).toEqual(["basket"]);
    expect(await runOn(service.database, ["notifications", "retry", "--all"])).toBe("Notifications put back: 1.\n");
    await until(() => server.messages().length === 2);
    expect(server.messages().map(({ channel }) => channel)).toEqual(["#security", "#other"]);
    expect(await runOn(service.database, ["notifications", "list"])).toBe("There are no dead letters.\n");
    expect(await runOn(service.database, ["notifications", "retry", "--all"])).toBe("Notifications put back: 0.\n");
  });
});

test("of two who put the same alerts back at once, each alert is put back by one", async () => {
  const { service, server, mend } = await useMendable();
  const channels = ["#a", "#b", "#c", "#d"];
  for (const chat_channel of channels) await report(service, { chat_channel });
  await untilDead(service, channels.length);
  mend();
  const answers = await Promise.all([1, 2].map(() => runOn(service.database, ["notifications", "retry", "--all"])));
  const counts = answers.map((answer) => Number(/: (\d)\.$/m.exec(answer)?.[1]));
  expect(counts.reduce((sum, count) => sum + count)).toBe(channels.length);
  await until(() => server.messages().length === channels.length);
  await until(() => noneWaits(service.databaseUrl));
  expect(new Set(server.messages().map(({ channel }) => channel))).toEqual(new Set(channels));
  expect(server.messages()).toHaveLength(channels.length);
});

test("an alert that was put back and fails again is listed and announced again", async () => {
  const { service } = await useMendable();
  await report(service);
  await untilDead(service, 1); // the figure counts it a moment before the commit
  await runOn(service.database, ["notifications", "retry", "--all"]);
  await until(async () => (await figure(service, 'maturity_notifications_dead_total{destination="chat"}')) === 2);
  await untilDead(service, 1);
});

test("the death of an alert that ends each process is announced by one of two services, and seen after a restart", async () => {
  const databaseUrl = await createDatabase("postgres");
  const hanging = await useChatServer(() => ({ hangUp: "never" }));
  const options = { databaseUrl, chat: { ...chat, apiUrl: hanging.url } };
  const logs = [readableLog(), readableLog()];
  const services = await Promise.all(logs.map(({ logger }) => useService({ ...options, logger })));
  for (const service of services.slice(1)) await report(service);
  await until(() => hanging.calls.length === 1);
  await query(databaseUrl, "UPDATE notifications SET tries = 151");
  await endLeases(databaseUrl);
  const deaths = async () =>
    Promise.all(services.map((service) => figure(service, 'maturity_notifications_dead_total{destination="chat"}')));
  await until(async () => (await deaths()).some((count) => count > 0));
  expect((await deaths()).toSorted()).toEqual([0, 1]);
  const lines = logs.flatMap((log) => log.from(50).filter(({ msg }) => msg?.includes("is a dead letter")));
  expect(lines).toMatchObject([
    { destination: "chat", address: "#security", reason: "no process finished sending it" },
  ]);
  const later = await useService(options);
  await until(async () => (await figure(later, 'maturity_notifications_dead{destination="chat"}')) === 1);
  expect(await list(later.database)).toMatchObject([{ app: "cart", reason: "no process finished sending it" }]);
  expect(hanging.calls.length).toBe(1);
});

test("dead letters of replies that are put back become one, which says what came last", async () => {
  const { service, server, mend } = await useMendable();
  for (const count of [2, 5, 4]) {
    await report(service, { count });
    await until(() => noneWaits(service.databaseUrl));
  }
  expect(await list(service.database)).toHaveLength(3);
  mend();
  expect(await runOn(service.database, ["notifications", "retry", "--all"])).toBe("Notifications put back: 3.\n");
  await until(() => noneWaits(service.databaseUrl));
  const texts = server.messages().map(({ text }) => text);
  expect(texts.at(-1)).toContain("4 × terraform_secret");
  expect(await list(service.database)).toEqual([]);
});

test("a dead letter is deleted after 90 days", async () => {
  const { service } = await useMendable();
  for (const app of ["old", "young"]) await report(service, { app });
  await untilDead(service, 2);
  await query(
    service.databaseUrl,
    `UPDATE notifications SET dead_since = now() - CASE app WHEN 'old' THEN interval '91 days' ELSE interval '89 days' END
     FROM problems_by_name AS problem WHERE problem.id = problem_id`,
  );
  await useService({ databaseUrl: service.databaseUrl, chat });
  await untilDead(service, 1);
  expect(await list(service.database)).toMatchObject([{ app: "young" }]);
});

test.each(engines)(
  "a thread that ended is forgotten after 90 days on %s, unless a message of it is left",
  async (kind) => {
    const { service, mend } = await useMendable(await createDatabase(kind));
    const { knex } = service.database;
    await report(service, { app: "dead letter" });
    await untilDead(service, 1);
    mend();
    for (const app of ["old", "young", "open"]) await report(service, { app });
    for (const app of ["old", "young"]) await report(service, { app, count: 0, details: [] });
    for (const thread of ["digest@1", "digest@2"])
      await knex.transaction((trx) =>
        insertNotifications(trx, [{ destination: "chat", address: "#security", fact: digestOf(thread) }]),
      );
    await until(async () => (await knex.raw("SELECT FROM notifications WHERE dead_since IS NULL")).rows.length === 0);
    const { rows: opened } = await knex.raw(
      "SELECT subject AS thread FROM notification_threads ORDER BY started_at, subject",
    );
    expect(opened).toHaveLength(6);
    const threads = opened.map(({ thread }: { thread: string }) => thread);
    const [deadLetter, old, young, open] = threads;
    const endedAgo = (days: number, ...ended: string[]) =>
      knex.raw(
        `UPDATE notification_threads SET resolved_at = CASE WHEN subject LIKE 'digest%' THEN resolved_at ELSE now() - ?::interval END,
         started_at = now() - ?::interval
       WHERE subject = ANY (?::text[])`,
        [`${days} days`, `${days} days`, ended],
      );
    await endedAgo(91, deadLetter, old, "digest@1");
    await endedAgo(89, young, "digest@2");
    await knex.raw("UPDATE notification_threads SET started_at = now() - interval '1 year' WHERE subject = ?", [open]);
    await deleteOld(knex, 90);
    const { rows: left } = await knex.raw("SELECT subject AS thread FROM notification_threads");
    expect(new Set(left.map(({ thread }: { thread: string }) => thread))).toEqual(
      new Set([deadLetter, young, open, "digest@2"]),
    );
  },
);

test("the command works as a process, and says how it goes", { timeout: 120_000 }, async () => {
  const { service } = await useMendable();
  await report(service);
  await untilDead(service, 1);
  const environment = { DATABASE_URL: service.databaseUrl };
  const listed = await runCommand(["notifications", "list"], environment);
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("shop/checkout/cart (prod)"), stderr: "" });
  expect(await runCommand(["notifications", "--help"], {})).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/list \[options\] .*dead letters\n +retry \[options\] \[ids\.\.\.\] /),
  });
  const wrong = await runCommand(["notifications", "retry"], environment);
  expect(wrong).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("either ids of notifications or --all"),
  });
  const retried = await runCommand(["notifications", "retry", "--all"], environment);
  expect(retried).toMatchObject({ code: 0, stdout: "Notifications put back: 1.\n" });
});

describe("where there is no dead letter", () => {
  test("it says so", async () => {
    const { database } = await useService();
    expect(await runOn(database, ["notifications", "list"])).toBe("There are no dead letters.\n");
    expect(await runOn(database, ["notifications", "list", "--json"])).toBe("");
    expect(await runOn(database, ["notifications", "retry", "--all"])).toBe("Notifications put back: 0.\n");
  });

  test.each([
    [[], "Usage: maturity-service notifications", "retry [options] [ids...]"],
    [["show"], "unknown command 'show'", "retry [options] [ids...]"],
    [["lsit"], "unknown command 'lsit'\n(Did you mean list?)", "retry [options] [ids...]"],
    [["list", "--colour"], "unknown option '--colour'", "maturity-service notifications list"],
    [["list", "5"], "too many arguments for 'list'. Expected 0 arguments", "maturity-service notifications list"],
    [["retry"], "retry takes either ids of notifications or --all", "maturity-service notifications retry"],
    [
      ["retry", "--all", "5"],
      "retry takes either ids of notifications or --all",
      "maturity-service notifications retry",
    ],
  ])("%j is refused with the reason and the usage, before any database is needed", async (args, reason, usage) => {
    const { code, stdout, stderr } = await runWithoutSettings(["notifications", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(reason);
    expect(stderr).toContain(usage);
  });

  test("ids that are not there are named without the usage", async () => {
    const { database } = await useService();
    const error = new OperatorError("nothing was put back: 5, 6 is no dead letter");
    await expect(runOn(database, ["notifications", "retry", "5", "6"])).rejects.toThrow(error);
  });
});
