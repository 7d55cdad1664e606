import { describe, expect, onTestFinished, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken, revokeToken } from "../src/auth/tokens.ts";
import { logReadiness } from "../src/commands/serve/readiness.ts";
import { chatSettings } from "../src/notifications/chat-settings.ts";
import { openDatabase } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import { useChatServer } from "./support/chat-server.ts";
import { readableLog } from "./support/log.ts";
import { useIssuer } from "./support/oidc-issuer.ts";
import { freePort } from "./support/postgres.ts";
import { createDatabase, engines } from "./support/service.ts";

type Parts = Parameters<typeof logReadiness>[0];

async function useDatabase(kind: (typeof engines)[number] = "postgres", url?: string) {
  const database = openDatabase(url ?? (await createDatabase(kind)), 1);
  onTestFinished(() => database.close());
  return database;
}

/** What is said, the lowest level first. */
async function said(parts: Partial<Parts> & Pick<Parts, "database">) {
  const log = readableLog();
  const config = { auth: "none", host: "127.0.0.1", ...parts.config } as const;
  await logReadiness({ oidc: undefined, settings: undefined, ...parts, config, logger: log.logger });
  return log.from(0);
}

describe("the start shows", () => {
  test.each(engines)("that the database is in order on %s", async (kind) => {
    const database = await useDatabase(kind);
    if (kind === "pglite") await migrate(database);
    expect(await said({ database })).toContainEqual(
      expect.objectContaining({ level: 30, msg: "the database is in order", version: expect.stringMatching(/^1\d\./) }),
    );
  });

  test("that the database is gone", async () => {
    const database = await useDatabase("postgres", `postgres://nobody@127.0.0.1:${await freePort()}/none`);
    expect(await said({ database })).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: "the database is not in order",
        reason: expect.stringContaining("ECONNREFUSED"),
      }),
    );
  });

  test("whether a token is good", async () => {
    const database = await useDatabase();
    const config = { auth: "token", host: "127.0.0.1" } as const;
    const none = expect.objectContaining({
      level: 40,
      msg: "authentication by tokens is not in order",
      reason: expect.stringContaining("maturity-service token create"),
    });
    expect(await said({ database, config })).toContainEqual(none);
    const grant = { name: "test", scopes: ["read"], bounds: {} } as const;
    const id = await insertToken(database.knex, { ...grant, hash: hashToken(createToken()) });
    await insertToken(database.knex, { ...grant, hash: hashToken(createToken()), expiresAt: new Date(0) });
    expect(await said({ database, config })).toContainEqual(
      expect.objectContaining({ level: 30, msg: "authentication by tokens is in order", tokens: 1 }),
    );
    await revokeToken(database.knex, id);
    expect(await said({ database, config })).toContainEqual(none);
  });

  test("whether an issuer shows its keys", async () => {
    const database = await useDatabase();
    const good = await useIssuer();
    const gone = `http://127.0.0.1:${await freePort()}`;
    const issuers = [good.url, gone].map((url) => ({ url, rules: [] }));
    const lines = await said({
      database,
      config: { auth: "oidc", host: "127.0.0.1" },
      oidc: { audience: "maturity", issuers },
    });
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 30, msg: "authentication by ID tokens is in order", issuer: good.url }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: "authentication by ID tokens is not in order",
        issuer: gone,
        reason: expect.stringContaining("ECONNREFUSED"),
      }),
    );
  });

  test("whether the chat takes the token, and repeats no secret", async () => {
    const database = await useDatabase();
    const chat = await useChatServer();
    const settings = chatSettings({ token: "xoxb-sesame", apiUrl: chat.url });
    expect(await said({ database, settings })).toContainEqual(
      expect.objectContaining({ level: 30, msg: "a destination of notifications is in order", destination: "chat" }),
    );
    const gone = chatSettings({ token: "xoxb-sesame", apiUrl: `http://127.0.0.1:${await freePort()}` });
    const lines = await said({ database, settings: gone });
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: "a destination of notifications is not in order",
        reason: expect.stringContaining("cannot be asked"),
      }),
    );
    expect(JSON.stringify(lines)).not.toContain("sesame");
  });
});
