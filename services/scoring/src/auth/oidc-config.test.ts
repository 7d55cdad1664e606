import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { OperatorError } from "../model/errors.ts";
import { parseOidcConfig } from "./oidc-config.ts";

const github = "https://token.actions.githubusercontent.com";

test("YAML is read, and JSON likewise; every scalar is the text that stands there", () => {
  const config = {
    audience: "1.10",
    issuers: [
      {
        url: github,
        rules: [
          {
            match: { repository_id: "0123", environment: "no", ref: "refs/heads/*" },
            grant: { scopes: ["score:write", "problem:write"], area: "shop", team: "007", app: "cart" },
          },
          { match: { repository: "acme/{app}" }, grant: { scopes: ["read"], app: "{app}" } },
        ],
      },
      {
        url: "https://git.acme.example:8443/gitlab",
        rules: [{ match: { ref: "main" }, grant: { scopes: ["admin"] } }],
      },
      { url: "http://127.0.0.1:9000", rules: [{ match: { ref: "main" }, grant: { scopes: ["admin"] } }] },
    ],
  };
  const yaml = `
audience: 1.10
issuers:
  - url: ${github}
    rules:
      - match: { repository_id: 0123, environment: no, ref: refs/heads/* }
        grant: { area: shop, team: 007, app: cart, scopes: [score:write, problem:write] }
      - match: { repository: "acme/{app}" }
        grant: { app: "{app}", scopes: [read] }
  - url: https://git.acme.example:8443/gitlab
    rules: [{ match: { ref: main }, grant: { scopes: [admin] } }]
  - url: http://127.0.0.1:9000
    rules: [{ match: { ref: main }, grant: { scopes: [admin] } }]
`;
  expect(parseOidcConfig(yaml, "oidc.yaml")).toEqual(config);
  expect(parseOidcConfig(JSON.stringify(config), "oidc.json")).toEqual(config);
});

/** The faults listed for a file, without the first line. */
function faultsOf(text: string): string[] {
  try {
    parseOidcConfig(text, "/etc/oidc.yaml");
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    const [first, ...faults] = (error as OperatorError).message.split("\n");
    expect(first).toBe("OIDC_CONFIG /etc/oidc.yaml cannot be used:");
    return faults.map((fault) => fault.slice(2));
  }
  throw new Error("it was accepted");
}

const rule = { match: { repository: "acme/cart" }, grant: { scopes: ["read"] } };
const file = (issuer: object, more: object = {}) =>
  JSON.stringify({ audience: "maturity", issuers: [{ url: github, rules: [rule], ...issuer }], ...more });
const matching = (match: unknown) => file({ rules: [{ ...rule, match }] });
const granting = (grant: unknown) => file({ rules: [{ ...rule, grant }] });

const refused: Readonly<Record<string, { text: string; says: RegExp }>> = {
  "no YAML": { text: "a: [", says: /./ },
  "a key twice": { text: "audience: a\naudience: b", says: /^the key audience stands there twice$/ },
  "a tag": { text: "audience: !!js/function x", says: /tag/ },
  "an alias of nothing": { text: "audience: *x", says: /alias/ },
  "an empty file": { text: "", says: /^it must be a mapping$/ },
  "a list": { text: "- a", says: /^it must be a mapping$/ },
  "an unknown setting": {
    text: file({}, { audiences: "x" }),
    says: /^audiences is not a setting; did you mean audience\?$/,
  },
  "no audience": { text: file({}, { audience: undefined }), says: /^audience is required$/ },
  "an empty audience": { text: file({}, { audience: "" }), says: /^audience is not allowed to be empty$/ },
  "several audiences": { text: file({}, { audience: ["a", "b"] }), says: /^audience must be a text$/ },
  "no issuer": { text: file({}, { issuers: [] }), says: /^issuers must have an entry$/ },
  "an issuer twice": {
    text: file(
      {},
      {
        issuers: [
          { url: "https://a", rules: [rule] },
          { url: "https://a", rules: [rule] },
        ],
      },
    ),
    says: /^issuers\[1\] stands there twice$/,
  },
  "an issuer over http": { text: file({ url: "http://gitlab.acme.example" }), says: /^issuers\[0\]\.url .+ https:/ },
  "an issuer that only begins like this machine": {
    text: file({ url: "http://127.evil.example" }),
    says: /url .+ https:/,
  },
  "an issuer with a password": { text: file({ url: "https://u:p@gitlab.com" }), says: /url .+ https:/ },
  "an issuer that is no address": { text: file({ url: "gitlab.com" }), says: /url .+ https:/ },
  "no rule": { text: file({ rules: [] }), says: /^issuers\[0\]\.rules must have an entry$/ },
  "a rule for everybody": { text: matching({}), says: /^issuers\[0\]\.rules\[0\]\.match must have an entry$/ },
  "an empty pattern": { text: matching({ repository: "" }), says: /match\.repository is not allowed to be empty$/ },
  "a pattern that is a list": {
    text: matching({ repository: ["acme/cart"] }),
    says: /match\.repository must be a text$/,
  },
  "a pattern of two wildcards": {
    text: matching({ repository: "acme/*-*" }),
    says: /match\.repository may hold one \*/,
  },
  "a placeholder twice": { text: matching({ repository: "{a}/x", ref: "{a}" }), says: /match takes \{a\} twice$/ },
  "a scope that is none": { text: granting({ scopes: ["write"] }), says: /scopes\[0\] must be one of \[score:write, / },
  "no scope": { text: granting({ area: "shop" }), says: /^issuers\[0\]\.rules\[0\]\.grant\.scopes is required$/ },
  "a scope twice": { text: granting({ scopes: ["read", "read"] }), says: /scopes\[1\] stands there twice$/ },
  "waivers beside scores": {
    text: granting({ scopes: ["waiver:write", "score:write"] }),
    says: /waiver:write must not stand beside score:write: a token that reports must not waive/,
  },
  "problems beside waivers": {
    text: granting({ scopes: ["problem:write", "read", "waiver:write"] }),
    says: /waiver:write must not stand beside problem:write: a token that reports must not waive/,
  },
  "an area that is no name": {
    text: granting({ scopes: ["read"], area: " shop" }),
    says: /area must be a text of 1 to 200/,
  },
  "an environment in the grant": {
    text: granting({ scopes: ["read"], env: "prod" }),
    says: /grant\.env is not a setting; there are scopes, area, team, app$/,
  },
  "a brace that is no placeholder": {
    text: granting({ scopes: ["read"], app: "{App}" }),
    says: /app must be a text in which/,
  },
  "brackets in brackets": { text: "[".repeat(20_000), says: /^it is nested too deep$/ },
  "aliases of aliases": {
    text: `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join("")}`,
    says: /alias/,
  },
  "a placeholder that nothing takes": {
    text: granting({ scopes: ["read"], app: "{app}" }),
    says: /^issuers\[0\]\.rules\[0\] grants \{app\}, which no claim takes$/,
  },
};

test.each(Object.entries(refused))("%s is refused", (_, { text, says }) => {
  const faults = faultsOf(text);
  expect(faults).toHaveLength(1);
  expect(faults[0]?.replace(/^line \d+: /, "")).toMatch(says);
});

test("all faults are listed at once", () => {
  const issuers = [{ url: "gitlab.com", rules: [{ match: { ref: "***" }, grant: { scopes: ["x"] } }] }];
  expect(faultsOf(JSON.stringify({ issuers }, null, 1)).map((fault) => fault.split(" ", 3).join(" "))).toEqual([
    "line 1: audience",
    "line 4: issuers[0].url",
    "line 8: issuers[0].rules[0].match.ref",
    "line 12: issuers[0].rules[0].grant.scopes[0]",
  ]);
});

describe("where anybody can get an ID token", () => {
  const strangers: Record<string, string>[] = [
    { ref: "refs/heads/main" },
    { repository: "*/cart" },
    { repository: "{team}/cart" },
    { repository: "acme-*/cart" },
    { repository_owner: "*" },
    { repository_id: "12*" },
    { job_workflow_ref: "acme/workflows/.github/workflows/report.yml@refs/heads/main" },
    { sub: "repo:acme/cart:ref:refs/heads/main" },
    { environment: "production" },
  ];
  test.each(strangers)("%j lets strangers in", (match) => {
    for (const url of [github, "https://gitlab.com"]) {
      const [fault] = faultsOf(file({ url, rules: [rule, { ...rule, match }] }));
      expect(fault).toMatch(/^line 1: issuers\[0\] lets strangers in by rules\[1\]/);
    }
  });

  const known: Record<string, string>[] = [
    { repository: "acme/*" },
    { repository_owner: "acme", ref: "refs/heads/main" },
    { repository_id: "12" },
    { repository_owner_id: "12" },
    { project_path: "acme/**" },
    { project_path: "acme/{team}/{app}" },
    { project_id: "12" },
    { namespace_path: "acme/*" },
    { namespace_id: "12" },
  ];
  test.each(known)("%j does not", (match) => {
    expect(parseOidcConfig(matching(match), "x").issuers[0]?.rules[0]?.match).toEqual(match);
  });

  test("an issuer of one's own may be trusted as a whole", () => {
    const text = file({ url: "https://gitlab.acme.example", rules: [{ ...rule, match: { ref_protected: "true" } }] });
    expect(parseOidcConfig(text, "x").issuers).toHaveLength(1);
  });
});

describe("sign_in", () => {
  const signIn = `
sign_in:
  issuer: https://id.acme.example/realms/acme
  client_id: maturity
  rules:
    - match: { groups: "team-{team}" }
      grant: { team: "{team}", scopes: [read] }
    - match: { groups: visitors }
      deny: [waiver:request]
`;

  test("may stand alone, and has defaults", () => {
    const { signIn: found, ...rest } = parseOidcConfig(signIn, "x");
    expect(rest).toEqual({ audience: "", issuers: [] });
    expect(found).toMatchObject({
      client_id: "maturity",
      scopes: "openid profile email",
      groups_claim: "groups",
      rules: [{ grant: { team: "{team}" } }, { deny: ["waiver:request"] }],
    });
    expect(found).not.toHaveProperty("client_secret_file");
  });

  test("reads the secret from its file, whose path begins at the folder of this one", async () => {
    const folder = await mkdtemp(join(tmpdir(), "maturity-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "secret"), "hush\n");
    await writeFile(join(folder, "empty"), "\n");
    const withSecret = (path: string) => signIn.replace("  rules:", `  client_secret_file: ${path}\n  rules:`);
    expect(parseOidcConfig(withSecret("secret"), join(folder, "oidc.yaml")).signIn?.client_secret_file).toBe("hush");
    expect(() => parseOidcConfig(withSecret("empty"), join(folder, "x"))).toThrow(
      /line 5: sign_in\.client_secret_file names an empty file/,
    );
    expect(() => parseOidcConfig(withSecret("none"), join(folder, "x"))).toThrow(/file that cannot be read: ENOENT/);
  });

  test("has another version for other rules, and the same for another contact", () => {
    const versionOf = (text: string) => parseOidcConfig(text, "x").signIn?.version;
    expect(versionOf(`${signIn}  contact: Ann\n`)).toBe(versionOf(signIn));
    expect(versionOf(signIn.replace("visitors", "others"))).not.toBe(versionOf(signIn));
  });

  test("has all its faults listed with their lines", () => {
    const wrong = `sign_in:
  issuer: http://id.acme.example
  scopes: profile
  public_url: maturity.acme.example
  contacts: Ann
  rules:
    - match: { groups: a }
    - match: { groups: b }
      grant: { scopes: [read] }
      deny: [waiver:request]
    - match: { groups: c }
      deny: [read]
    - match: { groups: d }
      grant: { team: "{team}", scopes: [read] }
`;
    expect(faultsOf(wrong).map((fault) => fault.replace(/,? https:.*| such as.*| there are.*/, ""))).toEqual([
      "line 1: sign_in.client_id is required",
      "line 2: sign_in.issuer must be the address of the issuer",
      "line 3: sign_in.scopes must be a text with openid,",
      "line 4: sign_in.public_url must be the address of this service for browsers",
      "line 5: sign_in.contacts is not a setting; did you mean contact?",
      "line 7: sign_in.rules[0] must have grant or deny",
      "line 8: sign_in.rules[1] must have grant or deny, not both",
      "line 12: sign_in.rules[2].deny[0] must be one of [waiver:request]",
      "line 13: sign_in.rules[3] grants {team}, which no claim takes",
    ]);
  });

  test("of a file with issuers too needs the audience", () => {
    const issuers = `issuers: [{ url: "https://a", rules: [{ match: { ref: main }, grant: { scopes: [read] } }] }]`;
    expect(faultsOf(issuers + signIn)).toEqual([expect.stringContaining("audience is required")]);
  });
});
