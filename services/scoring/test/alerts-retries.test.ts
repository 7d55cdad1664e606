import { describe, expect, test } from "vitest";
import { alertJobs, retryNow } from "./support/alert-jobs.ts";
import { useChatServer } from "./support/chat-server.ts";
import { type ReadableLog, readableLog } from "./support/log.ts";
import { query } from "./support/postgres.ts";
import { problem, report } from "./support/problem-report.ts";
import { type TestService, until, useService } from "./support/service.ts";

const warn = 40;
const error = 50;

/** A figure of GET /metrics/service. */
async function figure({ server }: TestService, name: string): Promise<number> {
  const { payload } = await server.inject("/metrics/service");
  return Number(new RegExp(`^${name} (.+)$`, "m").exec(payload)?.[1]);
}

/** Waits until the death of the alert was told. */
async function untilDead(log: ReadableLog): Promise<void> {
  await until(() => log.from(error).some(({ msg }) => msg?.includes("was given up")));
}

const dead = [{ queue: "alerts-dead", channel: "#security" }];
const givenUp = "an alert was given up; `maturity-service alerts` lists it and retries";

function told(log: ReadableLog, level: number): unknown[] {
  return log.from(level).map(({ channel, reason, msg }) => ({ channel, reason, msg }));
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
    await until(async () => (await alertJobs(service.databaseUrl))[0]?.state === "completed");
    expect(await alertJobs(service.databaseUrl)).toMatchObject([{ state: "completed", retry_count: 0 }]);
    expect(chat.calls).toHaveLength(2);
    expect(await figure(service, "maturity_alerts_sent_total")).toBe(1);
  });

  test("a process that is stopped while it waits leaves the alert to the next one, and no try is lost", async () => {
    const busy = await useChatServer(() => ({ status: 429, retryAfter: 600 }));
    const chat = await useChatServer();
    const first = await useService({ chat: { token: "xoxb-1", apiUrl: busy.url } });
    await report(first);
    await until(() => busy.calls.length === 1);
    await first.alerts?.stop(1_000);
    expect(await alertJobs(first.databaseUrl)).toMatchObject([{ queue: "alerts", state: "created", retry_count: 0 }]);
    await useService({ databaseUrl: first.databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url } });
    await until(() => chat.messages().length === 1);
    expect(busy.calls).toHaveLength(1);
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
    await until(async () => (await alertJobs(service.databaseUrl))[0]?.state === "completed");
    expect(await alertJobs(service.databaseUrl)).toMatchObject([{ state: "completed", retry_count: 3 }]);
    expect(chat.calls).toHaveLength(4);
    expect(log.from(warn).map(({ msg }) => msg)).toEqual(
      Array(3).fill("an alert could not be sent; it will be tried again"),
    );
    expect(await figure(service, "maturity_alerts_dead_total")).toBe(0);
  });

  test.each([
    [0, 2],
    [4, 32],
    [10, 600],
  ])("after %i retries the next try waits at least %i seconds", async (retries, seconds) => {
    const chat = await useChatServer(() => ({ status: 503 }));
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    await service.database.knex.transaction(async (trx) => {
      await service.alerts?.enqueue(trx, { problem, channel: "#security", thread: "opening" });
      await trx.raw("UPDATE pgboss.job SET retry_count = ? WHERE name = 'alerts'", [retries]);
    });
    await until(async () => (await alertJobs(service.databaseUrl))[0]?.state === "retry");
    const [job] = await alertJobs(service.databaseUrl);
    expect(job?.pause).toBeGreaterThanOrEqual(seconds);
  });
});

describe("an alert that is given up", () => {
  test.each(["invalid_auth", "channel_not_found", "not_in_channel"])("%s is not tried again", async (reason) => {
    const chat = await useChatServer(() => ({ error: reason }));
    const log = readableLog();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, logger: log.logger });
    await report(service);
    await untilDead(log);
    expect(await alertJobs(service.databaseUrl)).toMatchObject(dead);
    expect(chat.calls).toHaveLength(1);
    expect(await figure(service, "maturity_alerts_dead_total")).toBe(1);
    expect(await figure(service, "maturity_alerts_sent_total")).toBe(0);
    expect(told(log, warn)).toEqual([{ channel: "#security", reason, msg: givenUp }]);
    expect(log.from(error)).toHaveLength(1);
  });

  test("after the last try it is kept, counted and logged likewise", async () => {
    const chat = await useChatServer(() => ({ status: 500 }));
    const log = readableLog();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, logger: log.logger });
    await report(service);
    await until(async () => (await alertJobs(service.databaseUrl))[0]?.state === "retry");
    expect(await figure(service, "maturity_alerts_dead_total")).toBe(0);
    await query(service.databaseUrl, "UPDATE pgboss.job SET retry_count = retry_limit - 1, start_after = now()");
    await untilDead(log);
    expect(await alertJobs(service.databaseUrl)).toMatchObject(dead);
    expect(chat.calls).toHaveLength(2);
    expect(await figure(service, "maturity_alerts_dead_total")).toBe(1);
    expect(told(log, error)).toEqual([{ channel: "#security", reason: "HTTP status 500", msg: givenUp }]);
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
