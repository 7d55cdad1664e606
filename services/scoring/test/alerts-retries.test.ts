import { describe, expect, test } from "vitest";
import { alertRows, endRests, noneWaits, retryNow } from "./support/alert-rows.ts";
import { useChatServer } from "./support/chat-server.ts";
import { type ReadableLog, readableLog } from "./support/log.ts";
import { query } from "./support/postgres.ts";
import { problem, report } from "./support/problem-report.ts";
import { type TestService, until, useService } from "./support/service.ts";
import { storeProblem } from "./support/store.ts";

const warn = 40;
const error = 50;

/** A figure of GET /metrics/service. */
async function figure({ server }: TestService, name: string): Promise<number> {
  const { payload } = await server.inject("/metrics/service");
  return Number(new RegExp(`^${name} (.+)$`, "m").exec(payload)?.[1]);
}

/** Waits until the death of the alert was announced. */
async function untilDead(log: ReadableLog): Promise<void> {
  await until(() => log.from(error).some(({ msg }) => msg?.includes("is a dead letter")));
}

const dead = [{ state: "dead", channel: "#security" }];
const deadLetter = "a notification is a dead letter now; `maturity-service notifications` lists it and retries";

function announced(log: ReadableLog, level: number): unknown[] {
  return log.from(level).map(({ address, reason, msg }) => ({ channel: address, reason, msg }));
}

describe("a chat service that asks to wait, or fails", () => {
  test("after 429 the same call is made again, not before Retry-After has passed, and counts as the same try", async () => {
    const chat = await useChatServer((_, count) => (count === 0 ? { status: 429, retryAfter: 3 } : { ok: true }));
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    await report(service);
    await until(() => chat.messages().length === 1);
    const [first, second] = chat.calls;
    expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(3_000);
    expect(second?.text).toBe(first?.text);
    await until(() => noneWaits(service.databaseUrl));
    expect(chat.calls).toHaveLength(2);
    expect(await figure(service, 'maturity_notifications_sent_total{destination="chat"}')).toBe(1);
  });

  test("429 counts as no try before the last one either", async () => {
    const chat = await useChatServer((_, count) => (count === 0 ? { status: 429, retryAfter: 1 } : { ok: true }));
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    await service.database.knex.transaction(async (trx) => {
      await service.notifications.announceProblem(trx, problem, await storeProblem(trx, problem));
      await trx.raw("UPDATE notifications SET tries = 150");
    });
    await until(() => chat.messages().length === 1);
    await until(() => noneWaits(service.databaseUrl));
    expect(await alertRows(service.databaseUrl)).toEqual([]);
  });

  test("a process that is stopped leaves the wait to the next one, and no try is lost", async () => {
    const busy = await useChatServer(() => ({ status: 429, retryAfter: 600 }));
    const chat = await useChatServer();
    const first = await useService({ chat: { token: "xoxb-1", apiUrl: busy.url } });
    const { databaseUrl } = first;
    await report(first);
    await until(() => busy.calls.length === 1);
    await first.notifications.stop(10_000);
    expect(await alertRows(databaseUrl)).toMatchObject([{ state: "waiting", tries: 0 }]);
    const second = await useService({ databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url } });
    await report(second, { chat_channel: "#other" });
    await until(() => chat.messages().length === 1);
    expect(chat.messages()[0]?.channel).toBe("#other");
    await endRests(databaseUrl);
    await until(() => chat.messages().length === 2);
    expect(busy.calls).toHaveLength(1);
  });

  test("a wait of more than an hour is one of an hour", async () => {
    const chat = await useChatServer(() => ({ status: 429, retryAfter: 1_000_000 }));
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    await report(service);
    const busy = "SELECT extract(epoch FROM busy_until - now())::float AS seconds FROM notification_addresses";
    await until(async () => Number((await query(service.databaseUrl, busy)).rows[0]?.seconds) > 60);
    expect((await query(service.databaseUrl, busy)).rows[0].seconds).toBeLessThanOrEqual(3_600);
  });

  test("after an error of the server and a broken connection the alert is tried again and delivered once", async () => {
    const chat = await useChatServer(
      (_, count) =>
        [{ status: 500 }, { hangUp: "before" } as const, { error: "internal_error" }][count] ?? { ok: true },
    );
    const log = readableLog();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, logger: log.logger });
    await report(service);
    await until(async () => {
      await retryNow(service.databaseUrl);
      return chat.messages().length === 1;
    });
    await until(() => noneWaits(service.databaseUrl));
    expect(chat.calls).toHaveLength(4);
    expect(log.from(warn).map(({ msg }) => msg)).toEqual(
      Array(3).fill("a notification could not be sent; it will be tried again"),
    );
    expect(await figure(service, 'maturity_notifications_dead_total{destination="chat"}')).toBe(0);
  });

  test.each([
    [1, 2],
    [5, 32],
    [12, 600],
  ])("after %i tries the next one waits %i seconds", async (tries, seconds) => {
    const chat = await useChatServer(() => ({ status: 503 }));
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    await service.database.knex.transaction(async (trx) => {
      await service.notifications.announceProblem(trx, problem, await storeProblem(trx, problem));
      await trx.raw("UPDATE notifications SET tries = ?::int", [tries - 1]);
    });
    const wait =
      "SELECT extract(epoch FROM due_at - queued_at)::float AS seconds FROM notifications WHERE due_at > queued_at";
    await until(async () => (await query(service.databaseUrl, wait)).rowCount === 1);
    const { rows } = await query(service.databaseUrl, wait);
    expect(rows[0].seconds).toBeGreaterThanOrEqual(seconds);
    expect(rows[0].seconds).toBeLessThan(2 * seconds);
  });
});

describe("a dead letter", () => {
  test.each(["invalid_auth", "channel_not_found", "not_in_channel"])("%s is not tried again", async (reason) => {
    const chat = await useChatServer(() => ({ error: reason }));
    const log = readableLog();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, logger: log.logger });
    await report(service);
    await untilDead(log);
    expect(await alertRows(service.databaseUrl)).toMatchObject(dead);
    expect(chat.calls).toHaveLength(1);
    expect(await figure(service, 'maturity_notifications_dead_total{destination="chat"}')).toBe(1);
    expect(await figure(service, 'maturity_notifications_sent_total{destination="chat"}')).toBe(0);
    expect(announced(log, warn)).toEqual([{ channel: "#security", reason, msg: deadLetter }]);
    expect(log.from(error)).toHaveLength(1);
  });

  test("after the last try it is kept, counted and logged likewise", async () => {
    const chat = await useChatServer(() => ({ status: 500 }));
    const log = readableLog();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, logger: log.logger });
    await report(service);
    await until(async () => Number((await alertRows(service.databaseUrl))[0]?.pause) > 0);
    expect(await figure(service, 'maturity_notifications_dead_total{destination="chat"}')).toBe(0);
    await query(service.databaseUrl, "UPDATE notifications SET tries = 150, due_at = now()");
    await untilDead(log);
    expect(await alertRows(service.databaseUrl)).toMatchObject(dead);
    expect(chat.calls).toHaveLength(2);
    expect(await figure(service, 'maturity_notifications_dead_total{destination="chat"}')).toBe(1);
    expect(announced(log, error)).toEqual([{ channel: "#security", reason: "HTTP status 500", msg: deadLetter }]);
  });

  test("neither the token nor what was found reaches the log", async () => {
    const replies = [{ status: 500 }, { hangUp: "after" } as const, { error: "invalid_auth" }];
    const chat = await useChatServer((_, count) => replies[count] ?? { ok: true });
    const log = readableLog();
    const service = await useService({ chat: { token: "xoxb-sesame", apiUrl: chat.url }, logger: log.logger });
    const details = [{ file: "main.tf", description: "key AKIAIOSFODNN7EXAMPLE" }];
    expect(await report(service, { details })).toMatchObject({ status: 200 });
    expect(await report(service, { details, severity: "terrible" })).toMatchObject({ status: 400 });
    await until(async () => {
      await retryNow(service.databaseUrl);
      return chat.calls.length === 3;
    });
    await untilDead(log);
    await report(service, { details, app: "basket" });
    await until(() => chat.messages().length === 2);
    expect(log.lines.length).toBeGreaterThanOrEqual(3);
    expect(log.lines.join("")).not.toMatch(/sesame|AKIA/);
  });
});
