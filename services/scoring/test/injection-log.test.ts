import { describe, expect, test } from "vitest";
import { useChatServer } from "./support/chat-server.ts";
import { score } from "./support/injected.ts";
import { readableLog } from "./support/log.ts";
import { freePort, query, withDatabase } from "./support/postgres.ts";
import { problem } from "./support/problem-report.ts";
import { sendBytes } from "./support/raw-http.ts";
import { post } from "./support/requests.ts";
import { createDatabase, until, useService } from "./support/service.ts";
import { useTcpProxy } from "./support/tcp-proxy.ts";

describe("log injection", () => {
  test("no name, path, query, method or header forges a line or colours a terminal", async () => {
    const { logger, lines } = readableLog();
    const service = await useService({ logger });
    await service.server.start();
    const forged = '\n{"level":30,"msg":"forged"}\r\n\u001b[2J\u001b[31mred';
    await post(service, "/score", { ...score, area: forged, [forged]: 1 });
    await post(service, "/score", { ...score, scorecard: forged });
    await service.server.inject(`/nope${encodeURIComponent(forged)}?${encodeURIComponent(forged)}`);
    await service.server.inject({ url: "/metrics?area=%0a", headers: { "user-agent": forged } });
    const start = lines.length;
    for (const line of [
      "GET /nope%0a%0d%1b[31m HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      "GET /nope\u001b[31m\u009b31m HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      'GET /metrics?area=%00 HTTP/1.1\r\nHost: a\r\nUser-Agent: x\u009b\t{"level":60}\r\nConnection: close\r\n\r\n',
      "GET /nope HTTP/1.1\r\nHost: [\u009b31m\r\nConnection: close\r\n\r\n",
      "\u001b[31mGET / HTTP/1.1\r\n\r\n",
    ]) {
      expect(await sendBytes(service, line)).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    expect(lines.length).toBeGreaterThan(start);
    for (const line of lines) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f]+\n$/);
      expect(JSON.parse(line)).not.toMatchObject({ msg: "forged" });
    }
  });
});

test("secrets and descriptions stay out of the log, at level trace and through failures", async () => {
  const unique = (what: string) => `${what}-${crypto.randomUUID().slice(0, 8)}`; // PostgreSQL quotes 64 bytes of a column
  const [password, token, bearer, description] = ["password", "xoxb", "bearer", "text"].map(unique) as [
    string,
    string,
    string,
    string,
  ];
  const { logger, lines, from } = readableLog();
  const url = await createDatabase("postgres");
  const user = `user_${crypto.randomUUID().replaceAll("-", "")}`;
  await query(withDatabase(url, "postgres"), `CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${password}'`);
  const proxy = useTcpProxy(Object.assign(new URL(url), { username: user, password }).href, await freePort());
  await proxy.open();
  const replies = [
    { error: "invalid_auth" },
    { status: 500 },
    { hangUp: "before" },
    { status: 429, retryAfter: 1 },
  ] as const;
  const chat = await useChatServer((_, count) => replies[count % replies.length] ?? { ok: true });
  const service = await useService({ databaseUrl: proxy.url, logger, chat: { token, apiUrl: chat.url } });
  const details = [{ file: "a.tf", description }];
  const send = async (path: string, body: object | string) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${bearer}` };
    return (await post(service, path, body, headers)).status;
  };
  const channels = ["#a", "#b", "#c", "#d"];
  for (const chat_channel of channels) {
    expect(await send("/problem/scan-result", { ...problem, app: chat_channel, chat_channel, details })).toBe(200);
  }
  expect(await send("/problem/scan-result", { ...problem, details: [{ description }] })).toBe(400);
  expect(await send("/problem/scan-result", `{"description":"${description}`)).toBe(400);
  await until(() => chat.calls.length >= channels.length);
  await query(url, "ALTER TABLE problems RENAME TO elsewhere");
  expect(await send("/problem/scan-result", { ...problem, details })).toBe(500);
  await query(url, "ALTER TABLE elsewhere RENAME TO problems");
  await query(url, "ALTER TABLE problems ADD CHECK (count <> 77)");
  expect(await send("/problem/scan-result", { ...problem, count: 77, details })).toBe(500);
  proxy.cut();
  await proxy.shut();
  expect(await send("/problem/scan-result", { ...problem, details })).toBe(503);
  expect(await send("/score", score)).toBe(503);
  await until(() => from(50).some(({ msg }) => msg?.includes("cannot reach the database")));
  await proxy.open();
  await until(async () => (await send("/problem/scan-result", { ...problem, count: 0, details: [] })) === 200);
  const log = lines.join("");
  expect(log).toMatch(/could not be sent|dead letter/);
  expect(log).toMatch(/"err":/);
  for (const secret of [password, token, bearer, description]) expect(log).not.toContain(secret);
});
