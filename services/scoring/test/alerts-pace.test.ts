import { expect, test } from "vitest";
import { alertJobs, retryNow } from "./support/alert-jobs.ts";
import { type ChatServer, useChatServer } from "./support/chat-server.ts";
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

test("a channel that was busy when the queue was last looked at does not wait for long", async () => {
  const chat = await useChatServer();
  const options = { databaseUrl: await createDatabase("postgres"), chat: { token: "xoxb-1", apiUrl: chat.url } };
  await (await useService(options)).stop();
  await query(options.databaseUrl, "UPDATE pgboss.queue SET singletons_active = '{#security}' WHERE name = 'alerts'");
  const service = await useService(options);
  await report(service);
  await until(() => chat.messages().length === 1);
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
