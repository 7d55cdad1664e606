import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken, hashToken } from "../src/auth/token.ts";
import { insertToken } from "../src/auth/tokens.ts";
import { startIssuer, type TestIssuer } from "./support/oidc-issuer.ts";
import { type Claims, failuresOf, github, gitlab, reportFrom, trustIn } from "./support/pipelines.ts";
import { startService, type TestService } from "./support/service.ts";

let issuer: TestIssuer;
let service: TestService;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startService({ auth: "token,oidc", oidc: trustIn(issuer) });
});
afterAll(async () => {
  await service.stop();
  await issuer.shut();
});

const report = (token: string, target?: object) => reportFrom(service, token, target);

describe("the claims decide where a pipeline may report", () => {
  const search = { area: "shop", team: "search", app: "index" };
  const cases: Record<string, { claims: Claims; target?: object; status: number; says?: string }> = {
    "its own application": { claims: github, status: 200 },
    "another application": {
      claims: github,
      target: { area: "shop", team: "checkout", app: "till" },
      status: 403,
      says: 'you are bound to the app "cart"',
    },
    "another area": {
      claims: github,
      target: { area: "bank", team: "checkout", app: "cart" },
      status: 403,
      says: 'you are bound to the area "shop"',
    },
    "GitLab, its own project": { claims: gitlab, target: search, status: 200 },
    "GitLab, another project": { claims: gitlab, status: 403, says: 'you are bound to the team "search"' },
    "GitLab, flags as booleans": { claims: { ...gitlab, ref_protected: true }, target: search, status: 200 },
    "GitLab, a branch that is not protected": {
      claims: { ...gitlab, ref_protected: "false" },
      target: search,
      status: 403,
      says: 'no rule of this service is for project_path "acme/search/index", ref "main"',
    },
    "GitLab, a tag named like a branch": { claims: { ...gitlab, ref_type: "tag" }, target: search, status: 403 },
    "GitLab, a group within": { claims: { ...gitlab, project_path: "acme/search/web/index" }, status: 403 },
    "a pull request": {
      claims: { ...github, ref: "refs/pull/7/merge", event_name: "pull_request" },
      status: 403,
      says: 'no rule of this service is for repository "acme/checkout-cart", ref "refs/pull/7/merge"',
    },
    "a fork": { claims: { ...github, repository: "mallory/checkout-cart" }, status: 403 },
    "an owner that begins alike": { claims: { ...github, repository: "acme-evil/checkout-cart" }, status: 403 },
    "no claims": { claims: {}, status: 403, says: "no rule of this service is for ID tokens of http://127.0.0.1" },
    "a rule without this scope": {
      claims: { repository_id: "999" },
      status: 403,
      says: "your scopes do not allow this; it needs score:write or admin",
    },
  };
  test.each(Object.entries(cases))("%s", async (_, { claims, target, status, says }) => {
    const answer = await report(await issuer.sign(claims), target);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.code).toBe("forbidden");
    if (says !== undefined) expect(answer.message).toContain(says);
  });

  test("the first rule that fits decides, so the environment opens more", async () => {
    const scrape = async (claims: Claims) => {
      const authorization = `Bearer ${await issuer.sign(claims)}`;
      return service.server.inject({ url: "/metrics?collect[]=scores", headers: { authorization } });
    };
    expect((await report(await issuer.sign(gitlab), search)).status).toBe(200);
    expect((await report(await issuer.sign(github))).status).toBe(200);
    expect((await scrape(github)).statusCode).toBe(403);
    const { statusCode, payload } = await scrape({ ...github, environment: "production" });
    expect(statusCode).toBe(200);
    expect(payload).toContain('app="cart"');
    expect(payload).not.toContain('app="index"');
    const named = await scrape({ ...github, repository: "acme/checkout-ca\0rt", environment: "production" });
    expect(named.result).toMatchObject({ statusCode: 403, message: expect.stringContaining("U+0000") });
  });

  test("a token that no rule is for is no wrong one, and its answer shows no rule", async () => {
    const before = await failuresOf(service);
    const token = await issuer.sign({ ...github, ref: "refs/heads/other" });
    for (let attempt = 0; attempt < 40; attempt++) {
      const { statusCode, payload } = await service.server.inject({
        url: "/metrics",
        remoteAddress: "192.0.2.9",
        headers: { authorization: `Bearer ${token}` },
      });
      expect(statusCode).toBe(403);
      expect(payload).not.toMatch(/checkout-\{|environment|\d{8}|999/);
    }
    expect(await failuresOf(service)).toBe(before);
  });
});

describe("together with access tokens", () => {
  const accessToken = async () => {
    const token = createToken();
    await insertToken(service.database.knex, {
      name: "ci",
      hash: hashToken(token),
      scopes: ["score:write"],
      bounds: {},
    });
    return token;
  };

  test("either is taken, and neither a mixture", async () => {
    const token = await accessToken();
    expect((await report(token)).status).toBe(200);
    expect((await report(await issuer.sign(github))).status).toBe(200);
    expect((await report(`${token}.${await issuer.sign(github)}`)).status).toBe(401);
    expect((await report("something-else")).message).toBe("the token is unknown, expired or revoked");
  });

  test("wrong ones of both kinds are counted together, and keep no good one out", async () => {
    const before = await failuresOf(service);
    const from = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await service.server.inject({ url: "/metrics", remoteAddress: "192.0.2.10", headers })).statusCode;
    };
    const wrongToken = await issuer.sign({ aud: "other" });
    for (let attempt = 0; attempt < 40; attempt++) {
      expect(await from(createToken())).toBe(401);
      expect(await from(wrongToken)).toBe(401);
    }
    expect(await failuresOf(service)).toBe(before + 80);
    expect(await from(await issuer.sign({ repository_id: "999" }))).toBe(200);
    expect(await from(await accessToken())).toBe(403);
  });

  test("the description has both", async () => {
    const { components, paths } = JSON.parse((await service.server.inject("/openapi.json")).payload);
    expect(components.securitySchemes).toMatchObject({
      token: { type: "http", scheme: "bearer" },
      idToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    });
    expect(paths["/score"].post.security).toEqual([{ token: [] }, { idToken: [] }]);
    const codes = paths["/metrics/service"].get.responses[503].description;
    expect(codes).toContain("`store-unavailable`");
    expect(codes).toContain("`issuer-unavailable`");
  });
});

test("AUTH=oidc takes no access tokens, and AUTH=token no ID tokens", async () => {
  const databaseUrl = service.databaseUrl;
  const token = createToken();
  const oidc = trustIn(issuer);
  await insertToken(service.database.knex, { name: "x", hash: hashToken(token), scopes: ["admin"], bounds: {} });
  const idToken = await issuer.sign({ repository_id: "999" });
  for (const [auth, good, bad] of [["oidc", idToken, token] as const, ["token", token, idToken] as const]) {
    const other = await startService({ databaseUrl, auth, oidc });
    const ask = (token: string) =>
      other.server.inject({ url: "/metrics", headers: { authorization: `Bearer ${token}` } });
    expect((await ask(good)).statusCode).toBe(200);
    expect((await ask(bad)).statusCode).toBe(401);
    const { components } = JSON.parse((await other.server.inject("/openapi.json")).payload);
    expect(Object.keys(components.securitySchemes)).toEqual([auth === "oidc" ? "idToken" : "token"]);
    await other.stop();
  }
});

test("AUTH=oidc without issuers makes no server", async () => {
  await expect(startService({ auth: "oidc" })).rejects.toThrow("needs issuers");
});
