import { expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken, revokeToken } from "../src/auth/tokens.ts";
import { createDatabase, type TestService, until, useService } from "./support/service.ts";

test("a revoked token is refused soon by every instance, in use or not", async () => {
  const databaseUrl = await createDatabase("postgres");
  const instance = () => useService({ databaseUrl, auth: "token" });
  const [first, second, idle] = await Promise.all([instance(), instance(), instance()]);
  const token = createToken();
  const stored = { name: "test", hash: hashToken(token), scopes: ["admin"], bounds: {} } as const;
  const id = await insertToken(first.database.knex, stored);
  const status = async ({ server }: TestService) =>
    (await server.inject({ url: "/metrics", headers: { authorization: `Bearer ${token}` } })).statusCode;
  expect(await status(first)).toBe(200);
  expect(await status(second)).toBe(200);
  await revokeToken(idle.database.knex, id);
  expect(await status(idle)).toBe(401);
  await until(async () => (await status(first)) === 401);
  await until(async () => (await status(second)) === 401);
});
