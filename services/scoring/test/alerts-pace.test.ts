import { expect, test } from "vitest";
import { alertJobs, retryNow } from "./support/alert-jobs.ts";
import { type ChatReply, type ChatServer, useChatServer } from "./support/chat-server.ts";
import { readableLog } from "./support/log.ts";
import { query } from "./support/postgres.ts";
import { report } from "./support/problem-report.ts";
import { createDatabase, until, useService } from "./support/service.ts";

/** The shortest time between two messages to the channel, in milliseconds by the clock of the chat server. */
function shortestGap(chat: ChatServer, channel: string): number {
  const times = chat.messages().flatMap((message) => (message.channel === channel ? [message.at] : []));
  return Math.min(...times.slice(1).map((at, index) => at - Number(times[index])));
}

test("a channel gets at most one message a second, from two services on one database too", async () => {
  const chat = await useChatServer();
  const log = readableLog();
  const options = {
    databaseUrl: await createDatabase("postgres"),
    chat: { token: "xoxb-1", apiUrl: chat.url },
    logger: log.logger,
  };
  const services = await Promise.all([useService(options), useService(options)]);
  for (const app of ["a", "b", "c"]) {
    await Promise.all(
      services.flatMap((service, index) => [
        report(service, { app, env: `env ${index}`, chat_channel: "#one" }),
        ...(app === "a" ? [report(service, { app, env: `env ${index}`, chat_channel: "#two" })] : []),
      ]),
    );
  }
  await until(() => chat.messages().length === 8);
  expect(shortestGap(chat, "#one")).toBeGreaterThanOrEqual(1_000);
  expect(shortestGap(chat, "#two")).toBeGreaterThanOrEqual(1_000);
  await until(async () => (await alertJobs(options.databaseUrl)).every(({ state }) => state === "completed"));
  expect(chat.calls).toHaveLength(8);
  expect(log.from(40)).toEqual([]);
});

test("an alert that a stopped process left is sent by the next one on the database", async () => {
  const unreachable = await useChatServer(() => ({ hangUp: "before" }));
  const chat = await useChatServer();
  const first = await useService({ chat: { token: "xoxb-1", apiUrl: unreachable.url } });
  expect(await report(first)).toMatchObject({ status: 200, alert: "queued" });
  await first.stop();
  expect(chat.calls).toEqual([]);
  await useService({ databaseUrl: first.databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url } });
  await until(() => chat.messages().length === 1);
  expect(chat.messages()[0]).toMatchObject({
    channel: "#security",
    text: expect.stringContaining("shop/checkout/cart"),
  });
});

test("while a call is under way no other one goes to the channel, of several services on one database", async () => {
  const answer = Promise.withResolvers<ChatReply>();
  const begun: string[] = [];
  const chat = await useChatServer(({ channel }) => {
    begun.push(channel);
    return channel === "#security" ? answer.promise : { ok: true };
  });
  const options = { databaseUrl: await createDatabase("postgres"), chat: { token: "xoxb-1", apiUrl: chat.url } };
  const services = await Promise.all([useService(options), useService(options), useService(options)]);
  for (const service of services) await report(service);
  await until(() => begun.length === 1);
  for (const [index, service] of services.entries()) {
    await report(service, { chat_channel: "#other" });
    await until(() => chat.messages().length === index + 1);
  }
  expect(begun).toEqual(["#security", "#other", "#other", "#other"]);
  answer.resolve({ ok: true });
  await until(() => chat.messages().length === 6);
});

test("fifty channels that are gone, busy, broken or do not answer do not hold up another one", async () => {
  const replies = [
    { error: "channel_not_found" },
    { status: 429, retryAfter: 600 },
    { status: 500 },
    { hangUp: "never" },
    { hangUp: "reset" },
  ] as const;
  const chat = await useChatServer(({ channel }) => replies[Number(channel) % 5] ?? { ok: true });
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  const bad = Array.from({ length: 50 }, (_, index) => String(index));
  for (const chat_channel of [...bad, ...bad]) await report(service, { chat_channel });
  await until(() => bad.every((bad) => chat.calls.some(({ channel }) => channel === bad)));
  for (const app of ["a", "b", "c"]) await report(service, { app });
  await until(() => chat.messages().length === 3);
  expect(chat.messages().map(({ channel }) => channel)).toEqual(["#security", "#security", "#security"]);
});

test("an alert that a process was sending when it was killed is sent by another one", async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  await report(service);
  await until(async () => (await alertJobs(service.databaseUrl))[0]?.state === "completed");
  const killed = "state = 'active', completed_on = NULL, heartbeat_on = now() - interval '31 seconds'";
  await query(service.databaseUrl, `UPDATE pgboss.job SET ${killed} WHERE name = 'alerts'`);
  await until(async () => {
    await retryNow(service.databaseUrl);
    return chat.messages().length === 2;
  });
  expect(chat.messages()[1]?.text).toBe(chat.messages()[0]?.text);
});
