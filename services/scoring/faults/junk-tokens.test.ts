import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { openDatabase } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import { type TestIssuer, useIssuer } from "../test/support/oidc-issuer.ts";
import { useDirectory } from "../test/support/service-process.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { expectUnharmed, useScene } from "./support/scene.ts";

const scopes = ["score:write", "problem:write"] as const;

/** Clients that send wrong tokens without pause. */
const senders = 100;

/** How many of them are answered in a round. */
const answersOfRound = 1_000;

/** Returns what makes a wrong token, another one each time. */
type MakeJunk = (issuer: TestIssuer) => Promise<() => string>;

const floods: Readonly<Record<string, MakeJunk>> = {
  "something else": async () => () => `Token-${randomUUID()}`,
  "tokens with a wrong checksum": async () => () => `${createToken().slice(0, -1)}-`,
  "tokens that nobody was given": async () => createToken,
  "ID tokens that cannot be decoded": async () => () => `eyJ${randomUUID()}`,
  "ID tokens with claims that were not signed": async (issuer) => {
    const [header, payload, signature] = (await issuer.sign()).split(".");
    const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString());
    return () => `${header}.${encode({ ...claims, jti: randomUUID() })}.${signature}`;
  },
  "ID tokens with keys that the issuer does not have": async (issuer) => {
    const [, payload, signature] = (await issuer.sign()).split(".");
    return () => `${encode({ alg: "RS256", kid: randomUUID() })}.${payload}.${signature}`;
  },
};

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Makes access tokens that no instance has seen, for one test. */
async function useTokens(databaseUrl: string): Promise<() => Promise<string>> {
  const database = openDatabase(databaseUrl, 2);
  onTestFinished(() => database.close());
  await migrate(database);
  return async () => {
    const token = createToken();
    await insertToken(database.knex, { name: "faults", hash: hashToken(token), scopes, bounds: {} });
    return token;
  };
}

async function writeRules({ url }: TestIssuer): Promise<string> {
  const rule = { match: { sub: "test" }, grant: { scopes } };
  const file = join(await useDirectory(), "oidc.json");
  await writeFile(file, JSON.stringify({ audience: "maturity", issuers: [{ url, rules: [rule] }] }));
  return file;
}

/** Asks with wrong tokens until there were so many answers. Each must be 401. */
async function flood(address: string, makeJunk: () => string): Promise<void> {
  let left = answersOfRound;
  const send = async () => {
    while (left-- > 0) {
      const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${makeJunk()}` } });
      await answer.arrayBuffer();
      expect(answer.status).toBe(401);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
}

/** Each good token is of one of three kinds: one the instances know, one nobody has used, and a new ID token. */
async function sendJunk(context: TestContext, makerOfJunk: MakeJunk): Promise<void> {
  const issuer = await useIssuer();
  const { url: databaseUrl } = await useOwnPostgres();
  const makeAccessToken = await useTokens(databaseUrl);
  const known = await makeAccessToken();
  const kinds = [async () => known, makeAccessToken, () => issuer.sign()];
  const scene = await useScene(context, {
    databaseUrl,
    makeToken: (request) => (kinds[request % kinds.length] ?? makeAccessToken)(),
    environment: { AUTH: "token,oidc", OIDC_CONFIG: await writeRules(issuer) },
  });
  const makeJunk = await makerOfJunk(issuer);
  for (let round = 0; round < 2; round++) {
    await scene.round(async () => {
      for (const { address } of scene.instances) await flood(address, makeJunk);
    });
  }
  await scene.finish();
  expectUnharmed(scene);
}

for (const [what, makerOfJunk] of Object.entries(floods)) {
  test(`a flood of ${what}`, (context) => sendJunk(context, makerOfJunk));
}
