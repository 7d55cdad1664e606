import { describe, expect, test } from "vitest";
import { OperatorError } from "../model/errors.ts";
import { type Config, parseConfig, readConfig } from "./config.ts";
import { settings } from "./settings.ts";

const needed = { DATABASE_URL: "postgres://maturity:hunter2@db:5432/maturity" };

const defaults: Config = {
  databaseUrl: needed.DATABASE_URL,
  databasePoolMax: 10,
  host: "127.0.0.1",
  port: 8080,
  scorecards: ["@maturity/security", "@maturity/reliability", "@maturity/application"],
  auth: "none",
  board: true,
  trustedProxies: [],
  historyDays: 400,
  unregistered: "accept",
  logLevel: "info",
  shutdownGraceMs: 10_000,
};

const understood: Readonly<Record<string, { env: Record<string, string | undefined>; config: Partial<Config> }>> = {
  "nothing but the database": { env: {}, config: {} },
  "postgresql:// too": { env: { DATABASE_URL: "postgresql://db/m" }, config: { databaseUrl: "postgresql://db/m" } },
  ...Object.fromEntries(
    ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"].map((mode) => [
      `TLS: ${mode}`,
      {
        env: { DATABASE_URL: `postgres://db/m?sslmode=${mode}` },
        config: { databaseUrl: `postgres://db/m?sslmode=${mode}` },
      },
    ]),
  ),
  "a directory": { env: { DATABASE_URL: "pglite:./data" }, config: { databaseUrl: "pglite:./data" } },
  "a database in memory": { env: { DATABASE_URL: "pglite::memory:" }, config: { databaseUrl: "pglite::memory:" } },
  "a replica for reads": {
    env: { DATABASE_READ_URL: "postgres://replica/maturity" },
    config: { databaseReadUrl: "postgres://replica/maturity" },
  },
  "the size of the pool": { env: { DATABASE_POOL_MAX: "25" }, config: { databasePoolMax: 25 } },
  "the address": { env: { HOST: "0.0.0.0", PORT: "80" }, config: { host: "0.0.0.0", port: 80 } },
  "access tokens": { env: { AUTH: "token" }, config: { auth: "token" } },
  "ID tokens": {
    env: { AUTH: "oidc", OIDC_CONFIG: "/etc/oidc.yaml" },
    config: { auth: "oidc", oidcFile: "/etc/oidc.yaml" },
  },
  "both kinds of tokens, in any order": {
    env: { AUTH: "oidc, token", OIDC_CONFIG: "oidc.yaml" },
    config: { auth: "token,oidc", oidcFile: "oidc.yaml" },
  },
  "a file of issuers that is not asked for": { env: { AUTH: "token", OIDC_CONFIG: "x" }, config: { auth: "token" } },
  "trusted proxies": {
    env: { TRUSTED_PROXIES: "10.0.0.7, 192.168.0.0/16,fd00::/8 , ::1" },
    config: { trustedProxies: ["10.0.0.7", "192.168.0.0/16", "fd00::/8", "::1"] },
  },
  "no Board": { env: { BOARD: "off" }, config: { board: false } },
  "any free port": { env: { PORT: "0" }, config: { port: 0 } },
  "one scorecard": { env: { SCORECARDS: "cost" }, config: { scorecards: ["cost"] } },
  "files among the scorecards": {
    env: { SCORECARDS: "@maturity/security, ./our cost.yaml,/etc/maturity/docs.YML" },
    config: { scorecards: ["@maturity/security", "./our cost.yaml", "/etc/maturity/docs.YML"] },
  },
  "scorecards in order, with blanks": {
    env: { SCORECARDS: " @acme/cost , @maturity/security,plain.name_1-2 " },
    config: { scorecards: ["@acme/cost", "@maturity/security", "plain.name_1-2"] },
  },
  "a chat token": { env: { CHAT_BOT_TOKEN: "xoxb-hunter2" }, config: { chat: { token: "xoxb-hunter2" } } },
  "all of chat": {
    env: { CHAT_BOT_TOKEN: "t", CHAT_API_URL: "http://chat:8065/api/", CHAT_DEFAULT_CHANNEL: "#alerts" },
    config: { chat: { token: "t", apiUrl: "http://chat:8065/api/", defaultChannel: "#alerts" } },
  },
  "chat settings without a token: no chat": {
    env: { CHAT_API_URL: "https://chat.example.com", CHAT_DEFAULT_CHANNEL: "#alerts" },
    config: {},
  },
  "a policy": { env: { POLICY: "/etc/policy.yaml" }, config: { policyFile: "/etc/policy.yaml" } },
  "a year of history": { env: { HISTORY_DAYS: "365" }, config: { historyDays: 365 } },
  "unregistered applications held": { env: { UNREGISTERED: "hold" }, config: { unregistered: "hold" } },
  "no silence": { env: { RETIRE_SILENT_DAYS: "30" }, config: { retireSilentDays: 30 } },
  "no history": { env: { HISTORY_DAYS: "0" }, config: { historyDays: 0 } },
  "a log level": { env: { LOG_LEVEL: "silent" }, config: { logLevel: "silent" } },
  "no grace": { env: { SHUTDOWN_GRACE_MS: "0" }, config: { shutdownGraceMs: 0 } },
  "no authentication, said openly": { env: { AUTH: "none" }, config: {} },
  "empty values as unset": {
    env: {
      DATABASE_POOL_MAX: "",
      HOST: "",
      PORT: "",
      HISTORY_DAYS: "",
      SCORECARDS: "",
      CHAT_BOT_TOKEN: "",
      CHAT_API_URL: "",
      CHAT_DEFAULT_CHANNEL: "",
      LOG_LEVEL: "",
      SHUTDOWN_GRACE_MS: "",
      AUTH: "",
    },
    config: {},
  },
  "absent values as unset": { env: { PORT: undefined }, config: {} },
  "nothing of variables that are not its own": { env: { PATH: "/bin", POSTGRES_PORT: "x" }, config: {} },
};

test("understands when a digest is due", () => {
  const { digest } = parseConfig({ ...needed, CHAT_BOT_TOKEN: "t", DIGEST: "mon 09:00 Europe/Berlin" });
  expect(digest?.lastDue(new Date("2026-11-24T00:00:00Z"))).toEqual(new Date("2026-11-23T08:00:00Z"));
});

test.each([
  [{}, "DIGEST needs NOTIFY or CHAT_BOT_TOKEN, and HISTORY_DAYS of at least 8"],
  [{ CHAT_BOT_TOKEN: "t", HISTORY_DAYS: "7" }, "DIGEST needs NOTIFY or CHAT_BOT_TOKEN, and HISTORY_DAYS of at least 8"],
  [{ CHAT_BOT_TOKEN: "t", DIGEST: "daily" }, "DIGEST must be a day of the week and a time"],
  [{ CHAT_BOT_TOKEN: "t", DIGEST: "mon 09:00 Mars" }, "DIGEST must end with a time zone"],
])("a digest with %j is refused", (env, says) => {
  expect(() => parseConfig({ ...needed, DIGEST: "mon 09:00", ...env })).toThrow(says);
});

test("takes a file of destinations in place of the chat, with a digest", () => {
  expect(parseConfig({ ...needed, NOTIFY: "notify.yaml", DIGEST: "mon 09:00" })).toMatchObject({
    ...{ notifyFile: "notify.yaml", digest: expect.anything() },
  });
  expect(() => parseConfig({ ...needed, NOTIFY: "notify.yaml", CHAT_BOT_TOKEN: "t" })).toThrow(
    "CHAT_BOT_TOKEN cannot be set with NOTIFY",
  );
});

test.each(Object.entries(understood))("understands %s", (_, { env, config }) => {
  expect(parseConfig({ ...needed, ...env })).toEqual({ ...defaults, ...config });
});

/** The message for these variables. */
function refusal(env: Record<string, string>): string {
  try {
    parseConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message;
  }
  throw new Error("it was accepted");
}

const refused: Readonly<Record<string, { name: string; value: string; says: RegExp }>> = {
  "a database of another kind": { name: "DATABASE_URL", value: "mysql://u:hunter2@db/m", says: /postgres:\/\/user/ },
  "a database without address": { name: "DATABASE_URL", value: "postgres://", says: /postgres:\/\/user/ },
  "a password that begins with a bare /": { name: "DATABASE_URL", value: "postgres://u:/hunter2@db/m", says: /%2F/ },
  "a password with a bare # after digits": { name: "DATABASE_URL", value: "postgres://u:12#hunter2@db/m", says: /%23/ },
  "a password with a bare #": { name: "DATABASE_URL", value: "postgres://u:hunter2#x@db/m", says: /%23/ },
  "a mode of TLS that is none": {
    name: "DATABASE_URL",
    value: "postgres://u:hunter2@db/m?sslmode=on",
    says: /verify-full/,
  },
  "an empty mode of TLS": { name: "DATABASE_READ_URL", value: "postgres://db/m?a=b&sslmode=", says: /verify-full/ },
  "a second mode of TLS that is none": {
    name: "DATABASE_URL",
    value: "postgres://db/m?sslmode=require&sslmode=Require",
    says: /sslmode must be disable, allow, prefer, require, verify-ca, verify-full or no-verify/,
  },
  "an embedded database without directory": { name: "DATABASE_URL", value: "pglite:", says: /pglite:DIRECTORY/ },
  "no database": { name: "DATABASE_URL", value: "", says: /is required/ },
  "a pool of 0": { name: "DATABASE_POOL_MAX", value: "0", says: /greater than or equal to 1/ },
  "a pool of 1,001": { name: "DATABASE_POOL_MAX", value: "1001", says: /less than or equal to 1000/ },
  "a pool of a half": { name: "DATABASE_POOL_MAX", value: "1.5", says: /integer/ },
  "an address with a port": {
    name: "HOST",
    value: "127.0.0.1:hunter2",
    says: /must be a name or an address of this machine/,
  },
  "a port that is no number": { name: "PORT", value: "http-hunter2", says: /must be a number/ },
  "a port above all": { name: "PORT", value: "65536", says: /65535/ },
  "a port below 0": { name: "PORT", value: "-1", says: /greater than or equal to 0/ },
  "a scorecard that is no package": { name: "SCORECARDS", value: "@acme/", says: /package names/ },
  "an empty scorecard": { name: "SCORECARDS", value: "a,,b", says: /package names/ },
  "a scorecard that is a path": { name: "SCORECARDS", value: "../hunter2/x", says: /package names/ },
  "a chat token with a line break": { name: "CHAT_BOT_TOKEN", value: "hunter2\n", says: /without a line break/ },
  "a chat address of another kind": { name: "CHAT_API_URL", value: "ftp://hunter2", says: /http\|https/ },
  "a chat address that is none": { name: "CHAT_API_URL", value: "hunter2", says: /uri/ },
  "a channel of 201 characters": { name: "CHAT_DEFAULT_CHANNEL", value: "#".repeat(201), says: /200/ },
  "a history of ten years and a day": { name: "HISTORY_DAYS", value: "3651", says: /less than or equal to 3650/ },
  "an unknown way with unregistered applications": {
    name: "UNREGISTERED",
    value: "reject",
    says: /accept, hold or refuse/,
  },
  "a silence of no day": { name: "RETIRE_SILENT_DAYS", value: "0", says: /greater than or equal to 1/ },
  "a history of half a day": { name: "HISTORY_DAYS", value: "0.5", says: /integer/ },
  "a history below 0": { name: "HISTORY_DAYS", value: "-1", says: /greater than or equal to 0/ },
  "an unknown log level": { name: "LOG_LEVEL", value: "hunter2", says: /trace, debug, info/ },
  "a grace below 0": { name: "SHUTDOWN_GRACE_MS", value: "-1", says: /greater than or equal to 0/ },
  "a grace that is no number": { name: "SHUTDOWN_GRACE_MS", value: "10s", says: /must be a number/ },
  "an unknown way to authenticate": { name: "AUTH", value: "hunter2", says: /must be none, token, oidc/ },
  ...Object.fromEntries(
    [
      "10.0.0.0/33",
      "10.0.0.0/0",
      "10",
      "fd00::/129",
      "proxy.internal",
      "10.0.0.7;10.0.0.8",
      "10.0.0.7,",
      "loopback",
    ].map((value) => [
      `${value} as trusted proxies`,
      { name: "TRUSTED_PROXIES", value, says: /must be addresses or ranges/ },
    ]),
  ),
  "none together with another": { name: "AUTH", value: "none,token", says: /must be none, token, oidc/ },
};

describe("refuses", () => {
  test.each(Object.entries(refused))("%s, by name and without its value", (_, { name, value, says }) => {
    const message = refusal({ ...needed, [name]: value });
    expect(message).toMatch(new RegExp(`^The configuration cannot be used:\n  ${name} .+$`));
    expect(message).toMatch(says);
    expect(message).not.toContain("hunter2");
  });

  test("each wrong value for one reason, the first", () => {
    const values = ["x", "-1", "0.5", "-0.5", "1e9", "1e400", "postgres://", "a b,,c", "\n", "%", "/".repeat(300)];
    for (const { name } of settings()) {
      for (const value of values) {
        const { fault } = readConfig({ ...needed, [name]: value });
        const reasons = (fault?.message ?? "").split("\n").filter((line) => line.startsWith(`  ${name} `));
        expect(reasons.length, `${name}=${value}: ${fault?.message}`).toBeLessThanOrEqual(1);
      }
    }
    for (const name of ["DATABASE_URL", "DATABASE_READ_URL"]) {
      expect(refusal({ ...needed, [name]: "foo" })).toMatch(new RegExp(`:\n  ${name} must be postgres:.+$`));
    }
  });

  test("a replica that is no PostgreSQL, and one of an embedded database", () => {
    const DATABASE_READ_URL = "pglite:hunter2";
    expect(refusal({ ...needed, DATABASE_READ_URL })).toMatch(/\n {2}DATABASE_READ_URL must be postgres:.*replica/);
    const embedded = refusal({ DATABASE_URL: "pglite:data", DATABASE_READ_URL: "postgres://hunter2/m" });
    expect(embedded).toMatch(/\n {2}DATABASE_READ_URL is for a replica of a PostgreSQL/);
    expect(embedded).not.toContain("hunter2");
  });

  test("ID tokens without the file of issuers", () => {
    for (const AUTH of ["oidc", "token,oidc"]) {
      expect(refusal({ ...needed, AUTH })).toMatch(/\n {2}OIDC_CONFIG is required with AUTH=oidc: the file/);
    }
  });

  test("all that is wrong, in one message, secrets left out", () => {
    const message = refusal({
      PORT: "x",
      DATABASE_POOL_MAX: "hunter2",
      CHAT_BOT_TOKEN: "xoxb-hunter2",
      CHAT_API_URL: "hunter2",
      LOG_LEVEL: "loud",
      AUTH: "maybe",
    });
    const names = message.split("\n").slice(1);
    expect(names.map((line) => line.trim().split(" ")[0]).sort()).toEqual([
      "AUTH",
      "CHAT_API_URL",
      "DATABASE_POOL_MAX",
      "DATABASE_URL",
      "LOG_LEVEL",
      "PORT",
    ]);
    expect(message).not.toContain("hunter2");
  });
});

test("the configuration cannot be changed", () => {
  expect(parseConfig(needed)).toSatisfy(Object.isFrozen);
});
