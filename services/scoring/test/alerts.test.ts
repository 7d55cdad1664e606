import { describe, expect, test } from "vitest";
import { useChatServer } from "./support/chat-server.ts";
import { createDatabase, engines, type TestService, until, useService } from "./support/service.ts";

const problem = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  problem_type: "terraform_secret",
  severity: "high",
  count: 2,
  details: [{ file: "main.tf", line: 3, description: "AWS key" }, { file: "b.tf" }],
  chat_channel: "#security",
};

async function report({ server }: TestService, changes: object = {}): Promise<{ status: number; alert?: string }> {
  const { statusCode, result } = await server.inject({
    method: "POST",
    url: "/problem/scan-result",
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ ...problem, ...changes }),
  });
  return { status: statusCode, ...(result as { alert?: string }) };
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
    expect(await report(service, { count: 0, details: [] })).toMatchObject({ alert: "not_needed" });
    await report(service);
    await until(() => chat.messages().length === 3);
    expect(chat.messages().map(({ channel, thread_ts }) => ({ channel, thread_ts }))).toEqual([
      { channel: "#security", thread_ts: undefined },
      { channel: "#security", thread_ts: "ts-1" },
      { channel: "#security", thread_ts: undefined },
    ]);
    expect(chat.calls[0]?.headers.authorization).toBe("Bearer xoxb-1");
    expect(chat.messages()[0]?.text).toBe(
      "*high*: 2 × terraform_secret in shop/checkout/cart (prod)\n• main.tf:3 AWS key\n• b.tf",
    );
  });
});
