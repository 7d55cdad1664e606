import { expect, test } from "vitest";
import { alertRows, endRests, noneWaits, restful } from "./support/alert-rows.ts";
import { type ChatReply, useChatServer } from "./support/chat-server.ts";
import { report } from "./support/problem-report.ts";
import { until, useService } from "./support/service.ts";

test("what opens a thread comes before 2,000 reports of another problem, which are one reply", {
  timeout: 120_000,
}, async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, pace: restful });
  await report(service);
  await until(() => chat.messages().length === 1);
  for (let count = 2_000; count > 0; count--) await report(service, { count, details: [], severity: "critical" });
  for (const severity of ["low", "medium", "critical"]) await report(service, { app: severity, severity });
  for (let sent = 2; sent <= 5; sent++) {
    await endRests(service.databaseUrl);
    await until(() => chat.messages().length === sent);
  }
  expect(
    chat.messages().map(({ text, thread_ts }) => `${thread_ts ?? "top"} ${text.split("\n", 2).join(" ")}`),
  ).toEqual([
    expect.stringMatching(/^top \*high\*.*\/cart/),
    expect.stringMatching(/^top \*critical\*.*\/critical/),
    expect.stringMatching(/^top \*medium\*.*\/medium/),
    expect.stringMatching(/^top \*low\*.*\/low/),
    expect.stringMatching(/^ts-1 2000 more reports, now 1 finding \*critical\*: 1 × .*\/cart/),
  ]);
  await until(() => noneWaits(service.databaseUrl));
  expect(await alertRows(service.databaseUrl)).toEqual([]);
});

test("of one severity the older opening goes first", async () => {
  const chat = await useChatServer();
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url }, pace: restful });
  const apps = ["first", "second", "third", "fourth"];
  for (const app of apps) {
    await report(service, { app });
    await until(() => chat.messages().length > 0);
  }
  for (let sent = 2; sent <= apps.length; sent++) {
    await endRests(service.databaseUrl);
    await until(() => chat.messages().length === sent);
  }
  expect(chat.messages().map(({ text }) => /checkout\/(\w+)/.exec(text)?.[1])).toEqual(apps);
});

test("reports that come while a reply is on its way are announced by the next one", async () => {
  const answer = Promise.withResolvers<ChatReply>();
  const begun = Promise.withResolvers<void>();
  const chat = await useChatServer((_, count) => {
    if (count !== 1) return { ok: true };
    begun.resolve();
    return answer.promise;
  });
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  await report(service);
  await until(() => chat.messages().length === 1);
  await report(service, { count: 3 });
  await begun.promise;
  for (const count of [4, 5, 6]) await report(service, { count });
  answer.resolve({ ok: true });
  await until(() => noneWaits(service.databaseUrl));
  expect(chat.messages().map(({ text }) => text.split("\n")[0])).toEqual([
    expect.stringContaining("2 × "),
    expect.stringContaining("3 × "),
    "3 more reports, now 6 findings",
  ]);
});

test("a reply that fails is merged with what is reported until the next try, and waits for its opening", async () => {
  const replies: ChatReply[] = [{ status: 500 }, { status: 500 }];
  const chat = await useChatServer(() => replies.shift() ?? { ok: true });
  const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
  await report(service);
  await until(async () => (await alertRows(service.databaseUrl))[0]?.tries === 1);
  for (const count of [3, 4]) await report(service, { count });
  await until(() => noneWaits(service.databaseUrl));
  expect(chat.messages().map(({ text, thread_ts }) => [text.split("\n")[0], thread_ts])).toEqual([
    [expect.stringContaining("2 × "), undefined],
    ["2 more reports, now 4 findings", chat.messages()[0]?.ts],
  ]);
});
