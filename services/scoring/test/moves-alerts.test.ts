import { describe, expect, test } from "vitest";
import { type ChatServer, useChatServer } from "./support/chat-server.ts";
import { report } from "./support/problem-report.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, type TestService, until, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const resolved = { count: 0, details: [] };

/** Each message: its first word, the name in it, and below which other one it stands. */
function announced(chat: ChatServer): string[] {
  return chat
    .messages()
    .map(({ text, thread_ts = "top" }) => `${/\w+/.exec(text)} ${/[\w-]+\/[\w-]+\/[\w-]+/.exec(text)} ${thread_ts}`);
}

async function done(service: TestService, path: string, body: object): Promise<void> {
  expect(await post(service, path, body)).toMatchObject({ status: 200 });
}

const move = (service: TestService, from: object, to: object) => done(service, "/apps/move", { from, to, merge: true });

describe.each(engines)("alert threads on %s", (kind) => {
  /** A service with a chat; `say` reports and waits until everything is sent. */
  async function useChat() {
    const chat = await useChatServer();
    const databaseUrl = await createDatabase(kind);
    const service = await useService({ databaseUrl, chat: { token: "xoxb-1", apiUrl: chat.url } });
    const say = async (app: object, changes: object = {}, alert = "queued") => {
      expect(await report(service, { ...app, ...changes })).toMatchObject({ status: 200, alert });
      await until(async () => {
        const { rows } = await service.database.knex.raw(
          "SELECT EXISTS (SELECT FROM notifications WHERE dead_since IS NULL) AS some",
        );
        return !rows[0].some;
      });
    };
    return { chat, service, say };
  }

  test.each([
    ["the application", cart, basket, basket],
    ["the team", { area: "shop", team: "checkout" }, { area: "shop", team: "till" }, { ...cart, team: "till" }],
    ["the area", { area: "shop" }, { area: "store" }, { ...cart, area: "store" }],
  ])("a problem keeps its thread when %s moves, and its end is announced there", async (_, from, to, named) => {
    const { chat, service, say } = await useChat();
    await say(cart);
    await move(service, from, to);
    await say(cart);
    await say(named);
    await say(cart, resolved);
    const name = Object.values(named).join("/");
    expect(announced(chat)).toEqual([
      "high shop/checkout/cart top",
      ...["high", "high", "resolved"].map((word) => `${word} ${name} ts-1`),
    ]);
    await say(named, resolved, "not_needed");
    await say(named);
    expect(announced(chat).at(-1)).toBe(`high ${name} top`);
  });

  test("it keeps it over several moves, and over one back to the name that it had", async () => {
    const { chat, service, say } = await useChat();
    await say(cart);
    await move(service, cart, basket);
    await move(service, basket, { ...cart, app: "third" });
    await move(service, { ...cart, app: "third" }, cart);
    await say(basket);
    await say(cart, resolved);
    expect(announced(chat)).toEqual([
      "high shop/checkout/cart top",
      "high shop/checkout/cart ts-1",
      "resolved shop/checkout/cart ts-1",
    ]);
  });

  test("another application that gets a name free again has a thread of its own", async () => {
    const { chat, service, say } = await useChat();
    await say(cart);
    await move(service, cart, basket);
    await move(service, basket, cart);
    await move(service, cart, { ...cart, area: "store" });
    await say({ ...cart, app: "other" });
    await move(service, { ...cart, area: "store" }, cart);
    await say({ ...cart, app: "other" }, resolved);
    await say(cart, resolved);
    expect(announced(chat)).toEqual([
      "high shop/checkout/cart top",
      "high shop/checkout/other top",
      "resolved shop/checkout/other ts-2",
      "resolved shop/checkout/cart ts-1",
    ]);
  });

  test.each([
    ["the target", basket, cart],
    ["the one that moves", cart, basket],
  ])(
    "of two that are merged the thread of the one that was opened first goes on, be it that of %s",
    async (_, first, second) => {
      const { chat, service, say } = await useChat();
      await say(first);
      await say(second);
      await move(service, cart, basket);
      await say(cart);
      await say(basket, resolved);
      expect(announced(chat).slice(2)).toEqual([
        "high shop/checkout/basket ts-1",
        "resolved shop/checkout/basket ts-1",
      ]);
      await say(basket, resolved, "not_needed");
    },
  );

  test("an open problem that meets a resolved one keeps its thread, if its report is the newer", async () => {
    const { chat, service, say } = await useChat();
    await say(basket, resolved, "not_needed");
    await say(cart);
    await move(service, cart, basket);
    await say(cart, resolved);
    expect(announced(chat)).toEqual(["high shop/checkout/cart top", "resolved shop/checkout/basket ts-1"]);
  });

  test("a problem that comes back with its application goes on in its thread", async () => {
    const { chat, service, say } = await useChat();
    await say(cart);
    await done(service, "/apps/retire", { ...cart, reason: "replaced" });
    await done(service, "/apps/restore", cart);
    await say(cart);
    await done(service, "/apps/retire", { ...cart, reason: "replaced" });
    await move(service, cart, basket);
    await done(service, "/apps/restore", basket);
    await say(cart, resolved);
    expect(announced(chat)).toEqual([
      "high shop/checkout/cart top",
      "high shop/checkout/cart ts-1",
      "resolved shop/checkout/basket ts-1",
    ]);
  });

  /** A chat, and the application cart, whose first message waited while it was retired and restored. */
  async function useReturned(meanwhile = async (_: TestService) => {}) {
    const { service, ...others } = await useChat();
    const { knex } = service.database;
    await knex.raw("INSERT INTO notification_addresses VALUES ('chat', '#security', now() + interval '1 hour')");
    expect(await report(service, cart)).toMatchObject({ alert: "queued" });
    await meanwhile(service);
    await done(service, "/apps/retire", { ...cart, reason: "replaced" });
    await done(service, "/apps/restore", cart);
    await knex.raw("UPDATE notification_addresses SET busy_until = now()");
    return others;
  }

  test("a message that waited when its application retired is not sent when it comes back: the next report opens its thread", async () => {
    const { chat, say } = await useReturned();
    await say(cart);
    await say(cart, resolved);
    expect(announced(chat)).toEqual(["high shop/checkout/cart top", "resolved shop/checkout/cart ts-1"]);
  });

  test("a problem of which nobody had heard when its application retired ends without a message", async () => {
    const { chat, say } = await useReturned();
    await say(cart, resolved, "not_needed");
    expect(announced(chat)).toEqual([]);
  });

  test("a problem whose message is being sent while its application retires is announced as ended", async () => {
    // As in the turn of an instance.
    const { chat, say } = await useReturned(({ database }) => database.knex.raw("UPDATE notifications SET tries = 1"));
    await say(cart, resolved);
    expect(announced(chat)).toEqual(["resolved shop/checkout/cart top"]);
  });
});
