import { describe, expect, test } from "vitest";
import { alertRows } from "./support/alert-rows.ts";
import { useChatServer } from "./support/chat-server.ts";
import { query } from "./support/postgres.ts";
import { problem, report } from "./support/problem-report.ts";
import { createDatabase, engines, type TestService, until, useService } from "./support/service.ts";
import { storeProblem } from "./support/store.ts";

async function rowsIn({ databaseUrl }: TestService, table: string): Promise<number> {
  return (await query(databaseUrl, `SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
}

describe.each(engines)("alerts on %s", (kind) => {
  test("a report sends a message, a further one replies, and after it was resolved a new thread starts", async () => {
    const chat = await useChatServer();
    const service = await useService({
      databaseUrl: await createDatabase(kind),
      chat: { token: "xoxb-1", apiUrl: chat.url },
    });
    expect(await report(service)).toMatchObject({ status: 200, alert: "queued" });
    await until(() => chat.messages().length === 1);
    await report(service, { count: 3 });
    await until(() => chat.messages().length === 2);
    expect(await report(service, { count: 0, details: [] })).toMatchObject({ alert: "queued" });
    await until(() => chat.messages().length === 3);
    await report(service);
    await until(() => chat.messages().length === 4);
    expect(chat.messages().map(({ channel, thread_ts }) => ({ channel, thread_ts }))).toEqual([
      { channel: "#security", thread_ts: undefined },
      { channel: "#security", thread_ts: "ts-1" },
      { channel: "#security", thread_ts: "ts-1" },
      { channel: "#security", thread_ts: undefined },
    ]);
    expect(chat.calls[0]?.headers.authorization).toBe("Bearer xoxb-1");
    expect(chat.messages()[0]?.text).toBe(
      "*high*: 2 × terraform_secret in shop/checkout/cart (prod)\n• main.tf:3 AWS key\n• b.tf",
    );
  });

  test("a report can mention neither a channel nor a person, and forge no link", async () => {
    const chat = await useChatServer();
    const service = await useService({
      databaseUrl: await createDatabase(kind),
      chat: { token: "xoxb-1", apiUrl: chat.url },
    });
    await report(service, {
      app: "<!channel> & co",
      details: [{ file: "<https://evil.example|click>", description: "<@U024BE7LH> &lt;!here&gt;\n<!everyone>" }],
    });
    await until(() => chat.messages().length === 1);
    expect(chat.messages()[0]?.text).toBe(
      [
        "*high*: 2 × terraform_secret in shop/checkout/&lt;!channel&gt; &amp; co (prod)",
        "• &lt;https://evil.example|click&gt; &lt;@U024BE7LH&gt; &amp;lt;!here&amp;gt; &lt;!everyone&gt;",
        "and 1 more",
      ].join("\n"),
    );
  });
});

describe("which reports queue an alert", () => {
  test("a problem without a channel goes to the default channel, one with a channel to its own", async () => {
    const chat = await useChatServer();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url, defaultChannel: "#default" } });
    expect(await report(service, { chat_channel: undefined })).toMatchObject({ status: 200, alert: "queued" });
    expect(await report(service, { app: "basket" })).toMatchObject({ status: 200, alert: "queued" });
    await until(() => chat.messages().length === 2);
    expect(chat.messages().map(({ channel, text }) => `${channel} ${text.split("\n")[0]}`)).toEqual(
      expect.arrayContaining([
        "#default *high*: 2 × terraform_secret in shop/checkout/cart (prod)",
        "#security *high*: 2 × terraform_secret in shop/checkout/basket (prod)",
      ]),
    );
  });

  test("without any channel the problem is stored, and the answer says that nobody is notified", async () => {
    const chat = await useChatServer();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    expect(await report(service, { chat_channel: undefined })).toMatchObject({ status: 200, alert: "no_channel" });
    expect(await rowsIn(service, "problems")).toBe(1);
    expect(await alertRows(service.databaseUrl)).toEqual([]);
  });

  test("without a token alerts are disabled, and none is queued", async () => {
    const service = await useService();
    expect(await report(service)).toMatchObject({ status: 200, alert: "disabled" });
    expect(await rowsIn(service, "problems")).toBe(1);
    expect(await alertRows(service.databaseUrl)).toEqual([]);
  });

  test("a problem that never was sends nothing", async () => {
    const chat = await useChatServer();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    expect(await report(service, { count: 0, details: [] })).toMatchObject({ status: 200, alert: "not_needed" });
    expect(await alertRows(service.databaseUrl)).toEqual([]);
  });

  test.each([
    ["a severity that does not exist", { severity: "terrible" }],
    ["more details than findings", { count: 1 }],
    ["an unknown field", { chatchannel: "#security" }],
  ])("a report with %s is refused and queues nothing", async (_, changes) => {
    const chat = await useChatServer();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    expect(await report(service, changes)).toMatchObject({ status: 400, code: "invalid-payload" });
    expect(await rowsIn(service, "problems")).toBe(0);
    expect(await alertRows(service.databaseUrl)).toEqual([]);
  });

  test("a transaction that is rolled back leaves neither the problem nor its alert", async () => {
    const chat = await useChatServer();
    const service = await useService({ chat: { token: "xoxb-1", apiUrl: chat.url } });
    let queued: number | undefined;
    const transaction = service.database.knex.transaction(async (trx) => {
      await service.notifications.announceProblem(trx, problem, await storeProblem(trx, problem));
      const { rows } = await trx.raw("SELECT count(*)::int AS count FROM notifications");
      queued = rows[0].count;
      throw new Error("after both");
    });
    await expect(transaction).rejects.toThrow("after both");
    expect(queued).toBe(1);
    for (const table of ["problems", "notification_threads"]) expect(await rowsIn(service, table)).toBe(0);
    expect(await alertRows(service.databaseUrl)).toEqual([]);
  });
});
