import { expect, test } from "vitest";
import { openDatabase } from "../src/store/database.ts";
import { endLeases, noneWaits, retryNow } from "./support/alert-rows.ts";
import { type ChatReply, useChatServer } from "./support/chat-server.ts";
import { freePort, query, withDatabase } from "./support/postgres.ts";
import { problem } from "./support/problem-report.ts";
import { createDatabase, until } from "./support/service.ts";
import { runCommand, runOn } from "./support/service-command.ts";
import { useServiceProcess } from "./support/service-process.ts";
import { useTcpProxy } from "./support/tcp-proxy.ts";

/** A text that nothing else holds, with a character that a URL spells another way. */
const unique = (what: string) => `${what}+${crypto.randomUUID().slice(0, 8)}`;

/** The database with a role of its own, whose errors come with the values of the statement. */
async function useRole(password: string): Promise<URL> {
  const url = await createDatabase("postgres");
  const role = `role_${crypto.randomUUID().replaceAll("-", "")}`;
  const admin = withDatabase(url, "postgres");
  await query(admin, `CREATE ROLE ${role} SUPERUSER LOGIN PASSWORD '${password}'`);
  await query(admin, `ALTER ROLE ${role} SET log_parameter_max_length_on_error = -1`);
  return Object.assign(new URL(url), { username: role, password: encodeURIComponent(password) });
}

function expectNone(written: string, secrets: Readonly<Record<string, string>>): void {
  const found = Object.entries(secrets).filter(([, secret]) =>
    [secret, encodeURIComponent(secret), btoa(secret)].some((spelling) => written.includes(spelling)),
  );
  expect(found.map(([name]) => name)).toEqual([]);
}

test("no secret and no description is logged at level trace, whatever fails", { timeout: 120_000 }, async () => {
  const secrets = {
    password: unique("password"),
    token: unique("xoxb"),
    description: unique("AKIA"),
    wrong: unique("no"),
  };
  const url = await useRole(secrets.password);
  const proxy = useTcpProxy(url.href, await freePort());
  await proxy.open();
  const replies: readonly ChatReply[] = [
    { status: 500 },
    { hangUp: "reset" },
    { hangUp: "after" },
    { hangUp: "never" },
    { status: 429, retryAfter: 1 },
    { status: 429 },
    { error: `unknown token ${secrets.token} for ${secrets.description}` },
    { body: `<h1>${secrets.token} ${secrets.description}</h1>` },
    { body: `{"ok":false,"response_metadata":{"messages":["[ERROR] ${secrets.token}","[WARN] ${secrets.token}"]}}` },
    { error: "invalid_auth" },
  ];
  let answer: ChatReply = { ok: true };
  const chat = await useChatServer((_, count) => replies[count] ?? answer);
  const environment = { DATABASE_URL: proxy.url, CHAT_BOT_TOKEN: secrets.token, CHAT_API_URL: chat.url };
  const service = await useServiceProcess({ ...environment, AUTH: "token", LOG_LEVEL: "trace" });
  const address = await service.address();
  const database = openDatabase(url.href, 1);
  const made = await runOn(database, ["token", "create", "--name", "ci", "--scope", "admin"]);
  await database.close();
  const bearer = /maturity_\w+/.exec(made)?.[0] ?? "";

  const send = async (
    body: object | string,
    { token = bearer, path = "/problem/scan-result" } = {},
  ): Promise<number> => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return (await fetch(`${address}${path}`, { method: "POST", headers, body: text })).status;
  };
  const details = [{ file: "a.tf", description: secrets.description }];
  const leak = { ...problem, details };

  const bad: Readonly<Record<string, readonly [body: object | string, options: object, status: number]>> = {
    "a wrong token": [leak, { token: secrets.wrong }, 401],
    "an unknown field": [{ ...leak, [secrets.description]: 1 }, {}, 400],
    "a detail without a file": [{ ...problem, details: [{ description: secrets.description }] }, {}, 400],
    "a description that is too long": [
      { ...problem, details: [{ file: "a", description: `${secrets.description}${"x".repeat(4_000)}` }] },
      {},
      400,
    ],
    "JSON that ends": [`{"description":"${secrets.description}`, {}, 400],
    "a path that is not there": [leak, { path: "/problem" }, 404],
    "too large": [
      { ...problem, details: Array(500).fill({ file: "a", description: secrets.description.repeat(300) }) },
      {},
      413,
    ],
  };
  for (const [name, [body, options, status]] of Object.entries(bad)) {
    expect(`${name}: ${await send(body, options)}`).toBe(`${name}: ${status}`);
  }

  for (const [index] of replies.entries()) {
    expect(await send({ ...leak, app: `app ${index}`, chat_channel: `#${index}` })).toBe(200);
  }
  await until(() => chat.calls.length >= replies.length);
  await query(url.href, "ALTER TABLE notifications ADD CONSTRAINT alive CHECK (dead_since IS NULL) NOT VALID");
  answer = { error: "invalid_auth" };
  expect(await send({ ...leak, app: "refused", chat_channel: "#refused" })).toBe(200);
  await until(() => service.log().some(({ msg }) => msg?.includes("sending to a destination failed")));
  await query(url.href, "ALTER TABLE notifications DROP CONSTRAINT alive");
  await endLeases(url.href);
  await until(async () => {
    await retryNow(url.href);
    return service.log().some(({ address, msg }) => address === "#refused" && msg?.includes("is a dead letter"));
  });
  answer = { ok: true };

  const breakings: Readonly<Record<string, readonly [breaking: string, mending: string, status: number]>> = {
    "a table that is gone": [
      "ALTER TABLE problems RENAME TO elsewhere",
      "ALTER TABLE elsewhere RENAME TO problems",
      500,
    ],
    "a row that is not allowed": [
      "ALTER TABLE problems ADD CONSTRAINT few CHECK (count < 77)",
      "ALTER TABLE problems DROP CONSTRAINT few",
      500,
    ],
    "an alert that is not allowed": [
      "ALTER TABLE notifications ADD CONSTRAINT few CHECK (address <> '#77')",
      "ALTER TABLE notifications DROP CONSTRAINT few",
      500,
    ],
    "an error of another class": [
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON problems FOR EACH ROW EXECUTE FUNCTION refuse()`,
      "DROP FUNCTION refuse CASCADE",
      503,
    ],
  };
  for (const [name, [breaking, mending, status]] of Object.entries(breakings)) {
    await query(url.href, breaking);
    expect(`${name}: ${await send({ ...leak, count: 77, chat_channel: "#77" })}`).toBe(`${name}: ${status}`);
    await query(url.href, mending);
  }

  await proxy.shut();
  expect(await send(leak)).toBe(503);
  await until(() => service.log().some(({ msg }) => msg === "the outbox cannot reach the database"));
  await proxy.open();
  await until(async () => (await send({ ...leak, app: "last", chat_channel: "#last" })) === 200);
  await until(async () => {
    await retryNow(url.href);
    return noneWaits(url.href);
  });
  service.kill("SIGTERM");
  await service.exit;
  expectNone(JSON.stringify(service.log()) + service.stderr(), { ...secrets, bearer });
});

const password = unique("password");

test.each([
  ["a wrong password", (url: URL) => url.href.replace("@", "x@"), "password authentication failed"],
  ["a database that is not there", (url: URL) => `${url.href}x`, "does not exist"],
  ["an address that is none", (url: URL) => url.href.replace(/:\d+\//, ":port/"), "DATABASE_URL is no address"],
  ["a password that is not encoded", (url: URL) => url.href.replace("%2B", "%zz"), "password authentication failed"],
])("%s is not repeated by a start or a command", async (_, change, reason) => {
  const url = await useRole(password);
  const environment = { DATABASE_URL: change(url), LOG_LEVEL: "trace" };
  for (const args of [[], ["notifications", "list"], ["token", "list"]]) {
    const { code, stdout, stderr } = await runCommand(args, environment);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
    expectNone(stdout + stderr, { password });
  }
});
