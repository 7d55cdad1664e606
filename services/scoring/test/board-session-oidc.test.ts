import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cookieOf, open, read } from "./support/board-session.ts";
import { startIssuer, type TestIssuer } from "./support/oidc-issuer.ts";
import { github, trustIn } from "./support/pipelines.ts";
import { startService, type TestService } from "./support/service.ts";

describe("with ID tokens", () => {
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
  const claims = { ...github, environment: "production" };

  test("a session has the bounds of the rule, and lasts as long as the ID token", async () => {
    const { status, body, cookies } = await open(service, await issuer.sign(claims));
    expect(status).toBe(200);
    expect(body.session.grants).toEqual([
      { scopes: ["read"], bounds: { area: "shop", team: "checkout", app: "cart" }, rule: "issuers[0].rules[0]" },
    ]);
    expect(Date.parse(body.session.expires_at)).toBeLessThanOrEqual(Date.now() + 300_000);
    const cookie = cookieOf({ cookies });
    expect((await read(service, cookie)).status).toBe(200);
    expect((await read(service, cookie, "/areas?area=bank")).status).toBe(403);
  });

  test("none is opened for one that has expired, whatever the clocks, nor for one that may not read", async () => {
    const past = Math.floor(Date.now() / 1_000);
    for (const exp of [past - 3_600, past]) {
      expect((await open(service, await issuer.sign({ ...claims, iat: exp - 60, nbf: exp - 60, exp }))).status).toBe(
        401,
      );
    }
    expect((await open(service, await issuer.sign(github))).status).toBe(403);
    expect((await open(service, await issuer.sign({ ...claims, aud: "other" }))).status).toBe(401);
  });
});
