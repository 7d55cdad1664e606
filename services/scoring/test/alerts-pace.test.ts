import { expect, test } from "vitest";
import { endLeases, endRests, noneWaits, restful } from "./support/alert-rows.ts";
import { type ChatReply, useChatServer } from "./support/chat-server.ts";
import { readableLog } from "./support/log.ts";
import { report } from "./support/problem-report.ts";
import { createDatabase, until, useService } from "./support/service.ts";

test("a channel rests after each message, from two services on one database too", async () => {
  const chat = await useChatServer();
  const log = readableLog();
  const databaseUrl = await createDatabase("postgres");
  const options = {
    ...{ databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url }, logger: log.logger },
    pace: { rest: 0.2, poll: 0.02 },
  };
  const services = await Promise.all([useService(options), useService(options)]);
  for (const app of ["a", "b", "c"]) {
    await Promise.all(
      services.flatMap((service, index) =>
        ["#one", "#two"].map((chat_channel) =>
          report(service, { app: `${app} ${chat_channel} ${index}`, chat_channel }),
        ),
      ),
    );
  }
  await until(() => noneWaits(databaseUrl));
  expect(chat.calls).toHaveLength(12);
  for (const channel of ["#one", "#two"]) {
    const times = chat.messages().flatMap((message) => (message.channel === channel ? [message.at] : []));
    const gaps = times.slice(1).map((at, index) => at - Number(times[index]));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200);
  }
  expect(log.from(40)).toEqual([]);
});

test("as shipped a channel rests for a second", async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, pace: { poll: 1 } });
  for (const app of ["a", "b"]) await report(service, { app });
  await until(() => chat.messages().length === 2);
  const [first, second] = chat.messages();
  expect(Number(second?.at) - Number(first?.at)).toBeGreaterThanOrEqual(1_000);
});

test("while a channel rests another one does not", async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, pace: restful });
  for (const app of ["a", "b"]) await report(service, { app });
  await report(service, { chat_channel: "#other" });
  await until(() => chat.messages().length === 2);
  expect(new Set(chat.messages().map(({ channel }) => channel))).toEqual(new Set(["#security", "#other"]));
  await endRests(service.databaseUrl);
  await until(() => chat.messages().length === 3);
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
  for (const [index, service] of services.entries()) await report(service, { app: `app ${index}` });
  await until(() => begun.length === 1);
  for (const [index, service] of services.entries()) {
    await report(service, { chat_channel: "#other" });
    await until(() => chat.messages().length === index + 1);
  }
  expect(begun).toEqual(["#security", "#other", "#other", "#other"]);
  answer.resolve({ ok: true });
  await until(() => noneWaits(options.databaseUrl));
  expect(chat.messages()).toHaveLength(6);
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
  for (const chat_channel of bad) await report(service, { chat_channel });
  await until(() => bad.every((bad) => chat.calls.some(({ channel }) => channel === bad)));
  for (const app of ["a", "b", "c"]) await report(service, { app });
  await until(() => chat.messages().length === 3);
  expect(chat.messages().map(({ channel }) => channel)).toEqual(["#security", "#security", "#security"]);
});

test("an alert that a process was sending when it was killed is sent by another one", async () => {
  const hanging = await useChatServer(() => ({ hangUp: "never" }));
  const chat = await useChatServer();
  const killed = await useService({ chat: { token: "xoxb-1", apiUrl: hanging.url } });
  const { databaseUrl } = killed;
  await report(killed);
  await until(() => hanging.calls.length === 1);
  await useService({ databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url } });
  await endLeases(databaseUrl);
  await until(() => chat.messages().length === 1);
  await until(() => noneWaits(databaseUrl));
  expect(chat.messages()[0]?.text).toBe(hanging.calls[0]?.text);
  expect(chat.calls).toHaveLength(1);
});

test("a report that comes while two processes send the reply before it is announced", async () => {
  const answer = Promise.withResolvers<void>();
  let replies = 0;
  const chat = await useChatServer(async ({ thread_ts }) => {
    if (thread_ts === undefined) return { ok: true };
    replies++;
    await answer.promise;
    return { ok: true };
  });
  const databaseUrl = await createDatabase("postgres");
  const options = { databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url } };
  const service = await useService(options);
  await useService(options);
  await report(service, { count: 2 });
  await until(() => noneWaits(databaseUrl));
  await report(service, { count: 3 });
  await until(() => replies === 1);
  await endLeases(databaseUrl);
  await until(() => replies === 2);
  await report(service, { count: 4 });
  answer.resolve();
  await until(() => noneWaits(databaseUrl));
  expect(chat.messages().at(-1)?.text).toContain("4 × terraform_secret");
});
