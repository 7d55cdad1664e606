import { expect, test } from "vitest";
import { type ChatServer, useChatServer } from "./support/chat-server.ts";
import { report } from "./support/problem-report.ts";
import { until, useService } from "./support/service.ts";

/** What the n-th message was, where, and below which other one. */
function placed(chat: ChatServer): { app: string | undefined; channel: string; below: string | undefined }[] {
  return chat.messages().map(({ text, channel, thread_ts }) => ({
    app: /checkout\/(\w+)/.exec(text)?.[1],
    channel,
    below: thread_ts,
  }));
}

test("two problems that alternate in one channel keep to a thread each", async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  for (const [index, app] of ["cart", "basket", "cart", "basket"].entries()) {
    await report(service, { app });
    await until(() => chat.messages().length === index + 1);
  }
  expect(placed(chat)).toEqual([
    { app: "cart", channel: "#security", below: undefined },
    { app: "basket", channel: "#security", below: undefined },
    { app: "cart", channel: "#security", below: "ts-1" },
    { app: "basket", channel: "#security", below: "ts-2" },
  ]);
});

test("an open problem that moves to another channel starts a thread there, and finds the old one when it returns", async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  for (const [index, chat_channel] of ["#old", "#new", "#new", "#old"].entries()) {
    await report(service, { chat_channel });
    await until(() => chat.messages().length === index + 1);
  }
  expect(placed(chat)).toEqual([
    { app: "cart", channel: "#old", below: undefined },
    { app: "cart", channel: "#new", below: undefined },
    { app: "cart", channel: "#new", below: "ts-2" },
    { app: "cart", channel: "#old", below: "ts-1" },
  ]);
});
