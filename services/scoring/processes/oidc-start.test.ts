import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { type ClaimRule, type Claims, compileRules } from "../src/auth/claim-rules.ts";
import { parseOidcConfig } from "../src/auth/oidc-config.ts";
import { compilePeople } from "../src/auth/person.ts";
import type { SignIn } from "../src/auth/sign-in-config.ts";
import { blocks } from "../test/support/markdown.ts";
import { type TestIssuer, useIssuer } from "../test/support/oidc-issuer.ts";
import { createDatabase } from "../test/support/service.ts";
import { useDirectory, useServiceProcess } from "../test/support/service-process.ts";

const run = promisify(execFile);
const hasJq = await run("jq", ["--version"]).then(
  () => true,
  () => false,
);

/** A block of docs/access.md. */
async function example(info: string): Promise<string> {
  const block = (await blocks("docs/access.md")).find((block) => block.info === info);
  if (!block) throw new Error(`docs/access.md has no example ${info}`);
  return block.text;
}

/** A file of this text, for one test. */
async function file(text: string): Promise<string> {
  const path = join(await useDirectory(), "oidc.yaml");
  await writeFile(path, text);
  return path;
}

describe("a start with AUTH=oidc", () => {
  const environment = { DATABASE_URL: "pglite::memory:", AUTH: "oidc" };

  test("without OIDC_CONFIG says what it is", async () => {
    const service = await useServiceProcess(environment);
    expect(await service.exit).toMatchObject({ code: 1 });
    expect(service.stderr()).toContain("OIDC_CONFIG is required with AUTH=oidc");
  });

  test("without the file names it, without a stack", async () => {
    const service = await useServiceProcess({ ...environment, OIDC_CONFIG: "/no/such/oidc.yaml" });
    expect(await service.exit).toMatchObject({ code: 1 });
    expect(service.stderr()).toMatch(
      /^maturity-service cannot start\. OIDC_CONFIG \/no\/such\/oidc\.yaml cannot be read: ENOENT: .+\n$/,
    );
  });

  test("with a file that cannot be used lists every fault in one message", async () => {
    const path = await file("issuers: [{ url: gitlab.com, rules: [{ match: {}, grant: {} }] }]");
    const service = await useServiceProcess({ ...environment, OIDC_CONFIG: path });
    expect(await service.exit).toMatchObject({ code: 1 });
    expect(service.stderr()).toBe(`maturity-service cannot start. OIDC_CONFIG ${path} cannot be used:
  line 1: issuers[0].url must be the address of the issuer, https://…, as in its iss claim
  line 1: issuers[0].rules[0].match must have an entry
  line 1: issuers[0].rules[0].grant.scopes is required
  line 1: audience is required
`);
  });
});

/** The first grant of these rules. */
const grantTo = (rules: readonly ClaimRule[]) => (claims: Claims) => [...compileRules(rules, "rules")(claims)][0];

describe("docs/access.md", () => {
  const acme = { repository: "acme/checkout-cart", ref: "refs/heads/main", event_name: "push" };
  const shop = { project_path: "acme/checkout/cart", ref: "main", ref_protected: "true" };

  test("has a file by which people sign in", async () => {
    const text = await example("sign-in");
    const path = await file(text);
    await writeFile(join(path, "../maturity-client-secret"), "secret\n");
    const { signIn } = parseOidcConfig(text, path);
    const personOf = compilePeople(signIn as SignIn);
    const partsOf = (groups: readonly string[]) =>
      personOf({ sub: "1", groups }).grant.parts.map(({ scopes, bounds }) => ({ scopes, bounds }));
    expect(partsOf(["team/shop/till", "team/shop/cart"])).toEqual([
      { scopes: ["read", "waiver:request"], bounds: { area: "shop", team: "till" } },
      { scopes: ["read", "waiver:request"], bounds: { area: "shop", team: "cart" } },
    ]);
    expect(partsOf(["engineering", "contractors"])).toEqual([{ scopes: ["read"], bounds: {} }]);
    expect(partsOf(["sales"])).toEqual([]);
  });

  test("has a file that grants what it says", async () => {
    const [github, gitlab] = parseOidcConfig(await example("oidc"), "oidc.yaml").issuers;
    const ofGithub = grantTo(github?.rules ?? []);
    const ofGitlab = grantTo(gitlab?.rules ?? []);
    const cart = {
      scopes: ["score:write", "problem:write", "read"],
      bounds: { area: "shop", team: "checkout", app: "cart" },
    };
    expect(ofGithub(acme)).toMatchObject(cart);
    expect(ofGitlab(shop)).toMatchObject(cart);
    expect(ofGithub({ ...acme, repository: "acme-evil/checkout-cart" })).toBeUndefined();
    expect(ofGithub({ ...acme, ref: "refs/pull/7/merge", event_name: "pull_request" })).toBeUndefined();
    expect(ofGithub({ ...acme, event_name: "pull_request_target" })).toBeUndefined();
    expect(ofGitlab({ ...shop, ref_protected: "false" })).toBeUndefined();
  });

  test("has a rule that lets a pull request read, and no other write", async () => {
    const config = parse(await example("oidc"));
    config.issuers[0].rules.push(...parse(await example("oidc-gate")));
    const [github] = parseOidcConfig(stringify(config), "oidc.yaml").issuers;
    const grant = grantTo(github?.rules ?? []);
    const bounds = { area: "shop", team: "checkout", app: "cart" };
    const pull = { ...acme, ref: "refs/pull/7/merge", event_name: "pull_request" };
    expect(grant(pull)).toMatchObject({ scopes: ["read"], bounds });
    expect(grant(acme)).toMatchObject({ scopes: ["score:write", "problem:write", "read"], bounds });
    expect(grant({ ...acme, event_name: "pull_request_target" })).toBeUndefined();
  });

  /** Starts the service with the rules that the file of the page has for an issuer, but for this one. */
  const startFor = async (issuer: TestIssuer, of: string) => {
    const page = parse(await example("oidc"));
    const issuers = page.issuers.filter(({ url }: { url: string }) => url === of);
    const config = stringify({ ...page, issuers: issuers.map((one: object) => ({ ...one, url: issuer.url })) });
    return useServiceProcess({
      DATABASE_URL: await createDatabase("postgres"),
      AUTH: "oidc",
      OIDC_CONFIG: await file(config),
      HOST: "0.0.0.0",
    });
  };
  const report = async (script: string, address: string, env: Record<string, string>) => {
    const command = script.replaceAll("https://maturity.acme.example", address.replace("0.0.0.0", "127.0.0.1"));
    const { stdout } = await run("sh", ["-ec", command], { env: { PATH: process.env.PATH, ...env } });
    return JSON.parse(stdout);
  };

  test("has a job for GitLab CI that works", async () => {
    const issuer = await useIssuer();
    const service = await startFor(issuer, "https://gitlab.acme.example");
    const { report: job } = parse(await example("gitlab"));
    const token = await issuer.sign({ ...shop, aud: job.id_tokens.MATURITY_ID_TOKEN.aud });
    const answer = await report(job.script[0], await service.address(), { MATURITY_ID_TOKEN: token });
    expect(answer).toMatchObject({ app: "cart", score: 100 });
    expect(service.log().filter(({ level }) => level >= 40)).toEqual([]);
  });

  test.runIf(hasJq)("has a workflow for GitHub Actions that works", async () => {
    const issuer = await useIssuer();
    const service = await startFor(issuer, "https://token.actions.githubusercontent.com");
    const runner = createServer(async ({ url = "", headers }, response) => {
      const aud = new URL(url, "http://runner").searchParams.get("audience");
      const isJob = headers.authorization === "Bearer of-the-job";
      response.writeHead(isJob ? 200 : 401).end(JSON.stringify({ value: await issuer.sign({ ...acme, aud }) }));
    });
    await once(runner.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void runner.close());
    const { permissions, jobs } = parse(await example("github"));
    expect(permissions["id-token"]).toBe("write");
    const answer = await report(jobs.report.steps[0].run, await service.address(), {
      ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(runner.address() as AddressInfo).port}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-job",
    });
    expect(answer).toMatchObject({ app: "cart", score: 100 });
  });
});
