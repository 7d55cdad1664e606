import { exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, expect, test } from "vitest";
import { createCookieJar } from "./support/cookie-jar.ts";
import { readableLog } from "./support/log.ts";
import { type Reply, type TestIssuer, useIssuer } from "./support/oidc-issuer.ts";
import { type SigningService, sessionOf, useProvider, useSigningService } from "./support/sign-in.ts";

/** What an ID token is made for: the nonce of the attempt, and the standard claims of a good one. */
interface Good {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly nonce: string;
  readonly iat: number;
  readonly exp: number;
}

let issuer: TestIssuer;
let service: SigningService;
let log: ReturnType<typeof readableLog>;
beforeEach(async () => {
  issuer = await useIssuer();
  issuer.answer("document", {
    body: {
      ...{ issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, token_endpoint: `${issuer.url}/token` },
      ...{ authorization_endpoint: `${issuer.url}/authorize`, response_types_supported: ["code"] },
      ...{ subject_types_supported: ["public"], id_token_signing_alg_values_supported: ["RS256", "none", "HS256"] },
    },
  });
  log = readableLog();
  const rules = [{ match: { sub: "*" }, grant: { scopes: ["read"] } }];
  service = await useSigningService(await useProvider(), {
    ...{ settings: { issuer: issuer.url, client_id: "maturity", rules }, logger: log.logger },
  });
});

/** Signs in up to the end, with an ID token, or another answer of the token endpoint, in exchange for the code. */
async function signInWith(make: (good: Good) => Promise<string> | string | { readonly reply: Reply }) {
  const jar = createCookieJar();
  const begun = await jar.send(`${service.url}/sign-in?to=board/`);
  const { searchParams: asked } = new URL(begun.headers.get("location") ?? "");
  const now = Math.floor(Date.now() / 1_000);
  const nonce = asked.get("nonce") ?? "";
  const made = await make({ iss: issuer.url, aud: "maturity", sub: "1", nonce, iat: now, exp: now + 300 });
  const token = { access_token: "x", token_type: "Bearer", id_token: made };
  issuer.answer("token", typeof made === "object" ? made.reply : { body: token });
  const callback = `${service.url}/sign-in/callback?code=x&state=${asked.get("state")}`;
  const response = await jar.send(callback);
  return { jar, response, page: await response.text() };
}

test("the provider's good ID token lets its person in", async () => {
  const { jar, response } = await signInWith((good) => issuer.sign({ ...good }));
  expect(response.status).toBe(302);
  expect(await sessionOf(service, jar)).toMatchObject({ name: "1" });
});

test.each<[string, (good: Good) => Promise<string> | string]>([
  ["of another attempt", (good) => issuer.sign({ ...good, nonce: "of-another-attempt" })],
  ["without a nonce", (good) => issuer.sign({ ...good, nonce: undefined })],
  ["for another client", (good) => issuer.sign({ ...good, aud: "other" })],
  [
    "for another client too, which asked for it",
    (good) => issuer.sign({ ...good, aud: ["maturity", "other"], azp: "other" }),
  ],
  ["of another issuer", (good) => issuer.sign({ ...good, iss: "https://evil.example" })],
  ["without a subject", (good) => issuer.sign({ ...good, sub: undefined })],
  ["that has expired", (good) => issuer.sign({ ...good, iat: good.iat - 3_600, exp: good.iat - 600 })],
  ["that is not valid yet", (good) => issuer.sign({ ...good, nbf: good.iat + 3_600 })],
  ["without an end", (good) => issuer.sign({ ...good, exp: undefined })],
  ["without a signature", (good) => new UnsecuredJWT({ ...good }).encode()],
  [
    "with a foreign signature",
    async (good) => {
      const { privateKey } = await generateKeyPair("RS256");
      return new SignJWT({ ...good }).setProtectedHeader({ alg: "RS256", kid: issuer.key().kid }).sign(privateKey);
    },
  ],
  [
    "signed with the public key as a secret",
    async (good) => {
      const key = await importJWK({ ...issuer.key() }, "RS256", { extractable: true });
      const secret = new TextEncoder().encode(
        await exportSPKI(key as Awaited<ReturnType<typeof generateKeyPair>>["publicKey"]),
      );
      return new SignJWT({ ...good }).setProtectedHeader({ alg: "HS256", kid: issuer.key().kid }).sign(secret);
    },
  ],
  ["that is none", () => "a.b.c"],
  ["of a subject that drives a terminal", (good) => issuer.sign({ ...good, sub: "\u001b[2Jroot" })],
  ["of a subject that no text of the database holds", (good) => issuer.sign({ ...good, sub: "ro\0ot" })],
  ["of a subject that looks like another", (good) => issuer.sign({ ...good, sub: "ro\u200bot" })],
])("an ID token %s lets nobody in, and the page says what to do", async (_, make) => {
  const { jar, response, page } = await signInWith(make);
  expect([403, 502]).toContain(response.status);
  expect(page).toContain("You are not signed in");
  expect(page).toContain("Sign in again");
  expect(await sessionOf(service, jar)).toBe(null);
  expect(log.from(40)).toHaveLength(1);
});

test.each<[string, Reply]>([
  ["an error", { status: 500 }],
  ["a page", { body: "<html>login</html>" }],
  ["no ID token", { body: { access_token: "x", token_type: "Bearer" } }],
  ["more than a mebibyte", { body: { access_token: "x".repeat(1_100_000), token_type: "Bearer" } }],
  ["a redirect", { status: 302, location: "https://evil.example/" }],
])("a token endpoint that answers %s lets nobody in", async (_, reply) => {
  const { jar, response, page } = await signInWith(() => ({ reply }));
  expect([response.status, page]).toEqual([502, expect.stringContaining("Sign in again")]);
  expect(await sessionOf(service, jar)).toBe(null);
});

test("an address that drives a terminal names nobody: the subject does", async () => {
  const { jar } = await signInWith((good) =>
    issuer.sign({ ...good, email: "\u001b[2Jroot@acme.example", email_verified: true }),
  );
  expect(await sessionOf(service, jar)).toMatchObject({ name: "1" });
});
