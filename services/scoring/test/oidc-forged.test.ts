import { createHmac, createPublicKey } from "node:crypto";
import fc from "fast-check";
import { CompactEncrypt, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { startIssuer, type TestIssuer } from "./support/oidc-issuer.ts";
import { failuresOf, github, reportFrom, trustIn } from "./support/pipelines.ts";
import { startService, type TestService, until } from "./support/service.ts";

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

const seconds = () => Math.floor(Date.now() / 1_000);
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const parts = async () => (await issuer.sign(github)).split(".") as [string, string, string];

/** Signs like the issuer, with a key that is not the issuer's. */
async function forged(header: object = {}, algorithm = "RS256") {
  const { privateKey } = await generateKeyPair(algorithm);
  const now = seconds();
  return new SignJWT({ ...github, iss: issuer.url, aud: "maturity", iat: now, exp: now + 300 })
    .setProtectedHeader({ alg: algorithm, kid: issuer.key().kid, ...header })
    .sign(privateKey, { crit: { mine: true } });
}

/** Tokens that are good but for one thing. */
const wrong: Readonly<Record<string, { token: () => string | Promise<string>; says: RegExp }>> = {
  "for another audience": {
    token: () => issuer.sign({ ...github, aud: "https://github.com/acme" }),
    says: /for another audience; ask for one with the audience "maturity"/,
  },
  "for an audience that begins alike": { token: () => issuer.sign({ ...github, aud: "maturity2" }), says: /audience/ },
  "for no audience": { token: () => issuer.sign({ ...github, aud: undefined }), says: /audience/ },
  "for a list without it": { token: () => issuer.sign({ ...github, aud: ["a", "b"] }), says: /audience/ },
  expired: { token: () => issuer.sign({ ...github, exp: seconds() - 11 }), says: /has expired/ },
  "that never expires": { token: () => issuer.sign({ ...github, exp: undefined }), says: /claim exp/ },
  "that expires in words": {
    token: () => issuer.sign({ ...github, exp: "tomorrow" }),
    says: /claim exp/,
  },
  "not good yet": { token: () => issuer.sign({ ...github, nbf: seconds() + 60 }), says: /claim nbf/ },
  "of another issuer": {
    token: () => issuer.sign({ ...github, iss: "https://token.actions.githubusercontent.com" }),
    says: /ID tokens of "https:\/\/token\.actions\.githubusercontent\.com" are not taken here/,
  },
  "of an issuer with a slash behind": {
    token: () => issuer.sign({ ...github, iss: `${issuer.url}/` }),
    says: /not taken/,
  },
  "of no issuer": { token: () => issuer.sign({ ...github, iss: undefined }), says: /ID tokens of "" are not taken/ },
  "of two issuers": {
    token: () => issuer.sign({ ...github, iss: [issuer.url] }),
    says: /not taken here/,
  },
  "with alg none": {
    token: () => new UnsecuredJWT({ ...github, iss: issuer.url, aud: "maturity", exp: seconds() + 300 }).encode(),
    says: /must be signed with one of RS256, /,
  },
  "with alg None, and the signature of another": {
    token: async () => {
      const [, payload, signature] = await parts();
      return `${encoded({ alg: "None", kid: issuer.key().kid })}.${payload}.${signature}`;
    },
    says: /must be signed with one of/,
  },
  "without alg": {
    token: async () => {
      const [, payload, signature] = await parts();
      return `${encoded({ kid: issuer.key().kid })}.${payload}.${signature}`;
    },
    says: /^the ID token is malformed$/,
  },
  "signed with the public key as the secret": {
    token: async () => {
      const [, payload] = await parts();
      const signed = `${encoded({ alg: "HS256", kid: issuer.key().kid })}.${payload}`;
      const secret = createPublicKey({ key: issuer.key(), format: "jwk" }).export({ type: "spki", format: "pem" });
      return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
    },
    says: /must be signed with one of/,
  },
  "signed with the key of somebody else": { token: () => forged(), says: /^the signature of the ID token is wrong$/ },
  "that brings its own key": {
    token: async () => forged({ jwk: issuer.key(), jku: "https://mallory.example/keys" }),
    says: /^the signature of the ID token is wrong$/,
  },
  "signed with a key the issuer does not have": {
    token: () => forged({ kid: "mine" }),
    says: /a key that its issuer does not have/,
  },
  "signed with a key of another kind": {
    token: () => forged({}, "ES256"),
    says: /a key that its issuer does not have/,
  },
  "with other claims than were signed": {
    token: async () => {
      const [header, , signature] = await parts();
      const claims = {
        ...github,
        repository: "acme/checkout-till",
        iss: issuer.url,
        aud: "maturity",
        exp: seconds() + 300,
      };
      return `${header}.${encoded(claims)}.${signature}`;
    },
    says: /^the signature of the ID token is wrong$/,
  },
  "without its signature": { token: async () => (await parts()).slice(0, 2).join("."), says: /cannot be decoded/ },
  "with an empty signature": {
    token: async () => `${(await parts()).slice(0, 2).join(".")}.`,
    says: /^the signature of the ID token is wrong$/,
  },
  "with something that must not be ignored": {
    token: () => forged({ crit: ["mine"], mine: true }),
    says: /^the ID token is malformed$/,
  },
  "that is encrypted": {
    token: async () => {
      const { publicKey } = await generateKeyPair("RSA-OAEP-256");
      return new CompactEncrypt(Buffer.from("{}"))
        .setProtectedHeader({ alg: "RSA-OAEP-256", enc: "A256GCM" })
        .encrypt(publicKey);
    },
    says: /cannot be decoded/,
  },
  "whose claims are no object": {
    token: async () => {
      const [header, , signature] = await parts();
      return `${header}.${encoded([1])}.${signature}`;
    },
    says: /cannot be decoded/,
  },
  "that is garbled": { token: () => "eyJhbGciOiJSUzI1NiJ9.e30.AAAA", says: /ID tokens of "" are not taken/ },
  "that is longer than any": {
    token: () => issuer.sign({ ...github, more: "x".repeat(8_000) }),
    says: /has at most 8192 characters/,
  },
};

describe("a token", () => {
  test.each(Object.entries(wrong))("%s is refused, with the reason", async (_, { token, says }) => {
    const before = await failuresOf(service);
    const answer = await report(await token());
    expect(answer).toMatchObject({ status: 401, code: "unauthorized" });
    expect(answer.message).toMatch(says);
    expect(answer.headers["www-authenticate"]).toMatch(/^Bearer /);
    expect(await failuresOf(service)).toBe(before + 1);
  });

  test("with any character changed in what is signed is refused", async () => {
    const token = await issuer.sign(github);
    const signed = token.lastIndexOf(".");
    const change = fc.record({ at: fc.nat(signed), to: fc.constantFrom(..."AZaz09-_.=/ é") });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, to }) => {
        fc.pre(token[at] !== to);
        expect((await report(token.slice(0, at) + to + token.slice(at + 1))).status).toBe(401);
      }),
      { numRuns: 300 },
    );
  });

  test("made of anything is refused, and breaks nothing", async () => {
    const segment = fc.oneof(
      fc.string({ maxLength: 50 }).map((text) => Buffer.from(text).toString("base64url")),
      fc.json().map((text) => Buffer.from(text).toString("base64url")),
      fc.constantFrom(
        "",
        "e30",
        encoded({ alg: "RS256" }),
        encoded({ alg: "RS256", kid: {} }),
        encoded({ iss: issuer.url }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 5 }), async (segments) => {
        expect((await report(`eyJ${segments.join(".")}`)).status).toBe(401);
        expect((await report([encoded({ alg: "RS256" }), ...segments].join("."))).status).toBe(401);
      }),
      { numRuns: 300 },
    );
  });

  test("for several audiences, one of them this, is taken", async () => {
    expect((await report(await issuer.sign({ ...github, aud: ["other", "maturity"] }))).status).toBe(200);
  });

  test("of a clock that is a little ahead or behind is taken", async () => {
    expect((await report(await issuer.sign({ ...github, nbf: seconds() + 5 }))).status).toBe(200);
    expect((await report(await issuer.sign({ ...github, exp: seconds() - 5 }))).status).toBe(200);
  });

  test("is refused once it has expired, though it was taken before", async () => {
    const token = await issuer.sign({ ...github, exp: seconds() + 1 });
    expect((await report(token)).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 12_000 });
    onTestFinished(() => void vi.useRealTimers());
    await until(async () => (await report(token)).status === 401);
  });

  test("with another claim changed is not taken for the one that is remembered", async () => {
    const [header, payload, signature] = await parts();
    expect((await report(`${header}.${payload}.${signature}`)).status).toBe(200);
    const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), repository: "acme/checkout-till" };
    expect((await report(`${header}.${encoded(claims)}.${signature}`)).status).toBe(401);
  });
});
