import { describe, expect, test } from "vitest";
import type { Message } from "../src/notifications/destination.ts";
import { askForBot, createSlack, type SlackSettings } from "../src/notifications/kinds/slack.ts";
import { createOutwards } from "../src/notifications/outwards.ts";
import { type ChatReply, useChatServer } from "./support/chat-server.ts";

const outwards = createOutwards({ allowPrivate: true });

const message = { channel: "#security", text: "*campaign is due*: No secrets" };

/** Sends a message, as a reply if `thread` is given. */
function createSender(settings: Omit<SlackSettings, "report_channel">, limitMs?: number) {
  const slack = createSlack({ ...settings, report_channel: true }, outwards, limitMs);
  return ({ thread = null }: { thread?: string | null } = {}) =>
    slack.send({ ...sent, thread }, AbortSignal.timeout(60_000));
}

const sent: Omit<Message, "thread"> = {
  ...{ id: "1", at: new Date(0), reports: 1, address: "#security", link: null },
  fact: {
    ...{ type: "campaign.due", subject: "shop", area: "shop", team: null, app: null, env: null, severity: null },
    data: { name: "No secrets" },
  },
};

describe("where and what it calls", () => {
  test.each([
    ["with a slash at the end", (url: string) => url],
    ["without one", (url: string) => url.replace(/\/$/, "")],
  ])("an address %s leads to chat.postMessage below it", async (_, address) => {
    const chat = await useChatServer();
    const send = createSender({ token_file: "xoxb-1", api_url: address(chat.url) });
    expect(await send()).toEqual({ status: "sent", message: "ts-1" });
    expect(chat.calls).toMatchObject([{ path: "/api/chat.postMessage", ...message }]);
    expect(chat.calls[0]?.headers.authorization).toBe("Bearer xoxb-1");
    expect(chat.calls[0]).not.toHaveProperty("thread_ts");
  });

  test("a reply names its thread", async () => {
    const chat = await useChatServer();
    const send = createSender({ token_file: "xoxb-1", api_url: chat.url });
    await send({ thread: "1503435956.000247" });
    expect(chat.calls).toMatchObject([{ ...message, thread_ts: "1503435956.000247" }]);
  });
});

describe("what comes of it", () => {
  const cases: Readonly<Record<string, { reply: ChatReply; sent: object }>> = {
    "429 waits as long as Retry-After says": {
      reply: { status: 429, retryAfter: 7 },
      sent: { status: "busy", reason: "rate limited", seconds: 7 },
    },
    "429 with a Retry-After of no time is tried again": {
      reply: { status: 429, retryAfter: 0 },
      sent: { status: "failed", reason: "rate limited" },
    },
    "429 without Retry-After is tried again": { reply: { status: 429 }, sent: { status: "failed" } },
    "500 is tried again": { reply: { status: 500 }, sent: { status: "failed" } },
    "a gateway's 502 is tried again": { reply: { status: 502 }, sent: { status: "failed" } },
    "a broken connection is tried again": {
      reply: { hangUp: "before" },
      sent: { status: "failed" },
    },
    "a connection that is reset is tried again": {
      reply: { hangUp: "reset" },
      sent: { status: "failed", reason: "ECONNRESET" },
    },
    "no answer in time is tried again": {
      reply: { hangUp: "never" },
      sent: { status: "failed", reason: "no answer in time" },
    },
    "an answer that is lost is tried again": {
      reply: { hangUp: "after" },
      sent: { status: "failed" },
    },
    "the page of a gateway is tried again, and not repeated": {
      reply: { body: "<h1>Down for maintenance</h1>" },
      sent: { status: "failed", reason: "no usable answer" },
    },
    "an error that is no code is tried again, and not repeated": {
      reply: { error: "Bearer xoxb-1 is not known" },
      sent: { status: "failed", reason: "no usable answer" },
    },
    "JSON without an answer is tried again": {
      reply: { body: "null" },
      sent: { status: "failed", reason: "no usable answer" },
    },
    ...Object.fromEntries(
      ["fatal_error", "internal_error", "ratelimited", "request_timeout", "service_unavailable"].map((error) => [
        `${error} passes`,
        { reply: { error }, sent: { status: "failed", reason: error } },
      ]),
    ),
    ...Object.fromEntries(
      ["invalid_auth", "channel_not_found", "is_archived", "msg_too_long", "token_revoked"].map((error) => [
        `${error} does not pass`,
        { reply: { error }, sent: { status: "refused", reason: error } },
      ]),
    ),
  };
  test.each(Object.entries(cases))("%s", async (_, { reply, sent }) => {
    const chat = await useChatServer(() => reply);
    const send = createSender({ token_file: "xoxb-1", api_url: chat.url }, 1_000);
    expect(await send()).toMatchObject(sent);
    expect(chat.calls).toHaveLength(1);
  });

  test("a message that was given no id is sent", async () => {
    const chat = await useChatServer(() => ({ body: '{"ok":true}' }));
    expect(await createSender({ token_file: "xoxb-1", api_url: chat.url })()).toEqual({ status: "sent" });
  });

  test("a server that is not there is tried again", async () => {
    const chat = await useChatServer();
    await chat.close();
    const send = createSender({ token_file: "xoxb-1", api_url: chat.url });
    expect(await send()).toEqual({ status: "failed", reason: "ECONNREFUSED" });
  });
});

describe("the check of the token", () => {
  test("a token that is known says whose it is", async () => {
    const chat = await useChatServer();
    expect(await askForBot({ token_file: "xoxb-1", api_url: chat.url }, outwards)).toEqual({
      team: "Acme",
      bot: "maturity",
    });
    expect(chat.checks).toMatchObject([{ path: "/api/auth.test", headers: { authorization: "Bearer xoxb-1" } }]);
  });

  test("an answer without names is good too", async () => {
    const chat = await useChatServer(undefined, () => ({ body: '{"ok":true}' }));
    expect(await askForBot({ token_file: "xoxb-1", api_url: chat.url }, outwards)).toEqual({ team: "", bot: "" });
  });

  const faults: Readonly<Record<string, { reply: ChatReply; fault: string }>> = {
    "a token that is not known is refused": {
      reply: { error: "invalid_auth" },
      fault: "it refuses the token: invalid_auth",
    },
    "a service that has no such call says nothing of the token": {
      reply: { error: "unknown_method" },
      fault: "it cannot be asked: unknown_method",
    },
    "a service that is busy says nothing of the token": {
      reply: { status: 429, retryAfter: 600 },
      fault: "it cannot be asked: rate limited",
    },
    "a service that is down says nothing of the token": {
      reply: { status: 503 },
      fault: "it cannot be asked: HTTP status 503",
    },
    "a page instead of an answer says nothing, and is not repeated": {
      reply: { body: "<h1>xoxb-1</h1>" },
      fault: "it cannot be asked: no usable answer",
    },
    "a service that never answers says nothing, and ends by itself": {
      reply: { hangUp: "never" },
      fault: "it cannot be asked: no answer in time",
    },
  };
  test.each(Object.entries(faults))("%s", async (_, { reply, fault }) => {
    const chat = await useChatServer(undefined, () => reply);
    await expect(askForBot({ token_file: "xoxb-1", api_url: chat.url }, outwards, 1_000)).rejects.toThrow(
      new Error(fault),
    );
    expect(chat.checks).toHaveLength(1);
  });
});
