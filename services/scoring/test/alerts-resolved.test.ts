import { describe, expect, test } from "vitest";
import { alertRows, endRests, noneWaits, rest, restful } from "./support/alert-rows.ts";
import { type ChatReply, type ChatServer, useChatServer } from "./support/chat-server.ts";
import { problem, report } from "./support/problem-report.ts";
import { createDatabase, type TestService, until, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { storeProblem } from "./support/store.ts";

const resolved = { count: 0, details: [] };

/** A service and a chat server that has got everything once `announced` returns. */
async function useChat(options: Parameters<typeof useService>[0] = {}, reply: () => ChatReply = () => ({ ok: true })) {
  const chat = await useChatServer(reply);
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, ...options });
  const announced = async () => {
    await until(() => noneWaits(service.databaseUrl));
    return placed(chat);
  };
  return { chat, service, announced };
}

/** The first word of each message, where it went, and below which other one. */
function placed(chat: ChatServer): string[] {
  return chat.messages().map(({ text, channel, thread_ts = "top" }) => `${/\w+/.exec(text)} ${channel} ${thread_ts}`);
}

/** Reports, and waits until the message is sent. */
async function reported(service: TestService, changes: object = {}): Promise<void> {
  expect(await report(service, changes)).toMatchObject({ status: 200, alert: "queued" });
  await until(() => noneWaits(service.databaseUrl));
}

test("the end of a problem is one reply in its thread, and announced once", async () => {
  const { chat, service, announced } = await useChat();
  await reported(service);
  await reported(service, resolved);
  expect(await announced()).toEqual(["high #security top", "resolved #security ts-1"]);
  expect(chat.messages()[1]?.text).toBe(
    "*resolved*: terraform_secret in shop/checkout/cart (prod), was open for less than a minute",
  );
  expect(await report(service, resolved)).toMatchObject({ status: 200, alert: "not_needed" });
  expect(await alertRows(service.databaseUrl)).toEqual([]);
});

describe("where the end is announced", () => {
  test.each([
    ["names no channel", undefined],
    ["names another channel", "#elsewhere"],
  ])("in the thread of the opening, though the report that resolves it %s", async (_, chat_channel) => {
    const { service, announced } = await useChat();
    await reported(service);
    await reported(service, { ...resolved, chat_channel });
    expect(await announced()).toEqual(["high #security top", "resolved #security ts-1"]);
  });

  test("in each channel that was named the opening", async () => {
    const { service, announced } = await useChat();
    for (const chat_channel of ["#old", "#new"]) await reported(service, { chat_channel });
    await reported(service, resolved);
    const [, , ...ends] = await announced();
    expect(ends.toSorted()).toEqual(["resolved #new ts-2", "resolved #old ts-1"]);
  });

  test("in the old thread, though the problem is open again", async () => {
    const { service, announced } = await useChat();
    await reported(service);
    await reported(service, resolved);
    await reported(service);
    await reported(service, { count: 3 });
    await reported(service, resolved);
    expect(await announced()).toEqual([
      "high #security top",
      "resolved #security ts-1",
      "high #security top",
      "high #security ts-3",
      "resolved #security ts-3",
    ]);
  });

  test("not in the thread of another problem", async () => {
    const { service, announced } = await useChat();
    for (const app of ["cart", "basket"]) await reported(service, { app });
    await reported(service, { ...resolved, app: "basket" });
    expect(await announced()).toEqual(["high #security top", "high #security top", "resolved #security ts-2"]);
  });
});

describe("while alerts wait", () => {
  test("the opening goes first, then the end", async () => {
    const { service, announced } = await useChat({ pace: restful });
    await rest(service.databaseUrl, "#security");
    await report(service);
    expect(await report(service, resolved)).toMatchObject({ alert: "queued" });
    expect(await alertRows(service.databaseUrl)).toMatchObject([{ opening: true }, { opening: false }]);
    for (let left = 2; left > 0; left--) await endRests(service.databaseUrl);
    expect(await announced()).toEqual(["high #security top", "resolved #security ts-1"]);
  });

  test("the end takes the place of a reply", async () => {
    const { service, announced } = await useChat({ pace: restful });
    await reported(service);
    for (const changes of [{ count: 3 }, { count: 4 }, resolved]) await report(service, changes);
    expect(await alertRows(service.databaseUrl)).toMatchObject([{ opening: false, reports: 3 }]);
    await endRests(service.databaseUrl);
    expect(await announced()).toEqual(["high #security top", "resolved #security ts-1"]);
  });

  test("of a problem that is open again the new opening goes first", async () => {
    const { service, announced } = await useChat({ pace: restful });
    await reported(service);
    for (const changes of [resolved, { severity: "low" }]) await report(service, changes);
    for (let left = 2; left > 0; left--) await endRests(service.databaseUrl);
    expect(await announced()).toEqual(["high #security top", "low #security top", "resolved #security ts-1"]);
  });

  test("a dead letter of an opening that is put back goes first, then the end as its reply", async () => {
    let reply: ChatReply = { error: "not_in_channel" };
    const { chat, service, announced } = await useChat({}, () => reply);
    for (const changes of [{}, resolved]) {
      expect(await report(service, changes)).toMatchObject({ alert: "queued" });
      await until(() => noneWaits(service.databaseUrl));
    }
    reply = { ok: true };
    expect(await runOn(service.database, ["notifications", "retry", "--all"])).toBe("Notifications put back: 2.\n");
    expect(await announced()).toEqual(["high #security top", `resolved #security ${chat.messages()[0]?.ts}`]);
  });
});

describe("a dead letter of a problem that is resolved since is not sent as if it were open:", () => {
  test("an opening whose end was announced", async () => {
    let reply: ChatReply = { error: "not_in_channel" };
    const { service, announced } = await useChat({}, () => reply);
    await reported(service);
    reply = { ok: true };
    await reported(service, resolved);
    expect(await runOn(service.database, ["notifications", "retry", "--all"])).toBe(
      "Notifications put back: 0. Deleted, since their problems are resolved: 1.\n",
    );
    expect(await announced()).toEqual(["resolved #security top"]);
    expect(await alertRows(service.databaseUrl)).toEqual([]);
  });

  test("a reply whose end was announced", async () => {
    let reply: ChatReply = { ok: true };
    const { service, announced } = await useChat({}, () => reply);
    await reported(service);
    reply = { error: "not_in_channel" };
    await reported(service, { count: 3 });
    reply = { ok: true };
    await reported(service, resolved);
    expect(await runOn(service.database, ["notifications", "retry", "--all"])).toContain("back: 0. Deleted, ");
    expect(await announced()).toEqual(["high #security top", "resolved #security ts-1"]);
  });

  test("an opening whose end nobody was to be named", async () => {
    let reply: ChatReply = { error: "not_in_channel" };
    const { service, announced } = await useChat({}, () => reply);
    await reported(service);
    const deaf = await useService({ databaseUrl: service.databaseUrl });
    expect(await report(deaf, resolved)).toMatchObject({ alert: "disabled" });
    reply = { ok: true };
    expect(await runOn(service.database, ["notifications", "retry", "--all"])).toContain("back: 0. Deleted, ");
    expect(await announced()).toEqual([]);
  });

  test("though the dead letter of the end is sent behind it, before or after the problem is open again", async () => {
    let reply: ChatReply = { error: "not_in_channel" };
    const { service, announced } = await useChat({}, () => reply);
    for (const changes of [{}, resolved, { severity: "low" }]) await reported(service, changes);
    reply = { ok: true };
    expect(await runOn(service.database, ["notifications", "retry", "--all"])).toBe("Notifications put back: 3.\n");
    expect((await announced()).toSorted()).toEqual([
      "high #security top",
      "low #security top",
      expect.stringMatching(/^resolved #security ts-/),
    ]);
  });
});

describe("an opening that nobody was named", () => {
  test.each([
    ["for want of a token", {}, "disabled"],
    ["for want of a channel", { chat: { token: "xoxb-1", apiUrl: "http://127.0.0.1:9" } }, "no_channel"],
  ])("%s ends in silence", async (_, options, alert) => {
    const databaseUrl = await createDatabase("postgres");
    const deaf = await useService({ databaseUrl, ...options });
    expect(await report(deaf, { chat_channel: undefined })).toMatchObject({ alert });
    const { service } = await useChat({ databaseUrl });
    expect(await report(service, resolved)).toMatchObject({ status: 200, alert: "not_needed" });
    expect(await alertRows(databaseUrl)).toEqual([]);
  });
});

test("without a token the end of a problem that was announced says that alerts are disabled, and is over", async () => {
  const { service } = await useChat();
  await reported(service);
  const deaf = await useService({ databaseUrl: service.databaseUrl });
  expect(await report(deaf, resolved)).toMatchObject({ status: 200, alert: "disabled" });
  expect(await report(service, resolved)).toMatchObject({ status: 200, alert: "not_needed" });
  expect(await alertRows(service.databaseUrl)).toEqual([]);
});

test("an end that is rolled back is announced by the next report", async () => {
  const { service, announced } = await useChat();
  await reported(service);
  const clean = { ...problem, ...resolved };
  const transaction = service.database.knex.transaction(async (trx) => {
    expect(await service.notifications.announceProblem(trx, clean, await storeProblem(trx, clean))).toBe("queued");
    throw new Error("after both");
  });
  await expect(transaction).rejects.toThrow("after both");
  expect(await alertRows(service.databaseUrl)).toEqual([]);
  await reported(service, resolved);
  expect(await announced()).toEqual(["high #security top", "resolved #security ts-1"]);
});
