import { describe, expect, test } from "vitest";
import type { GrantPart } from "../model/grant.ts";
import { type ClaimRule, type Claims, compileRules, patternFault, placeholders } from "./claim-rules.ts";

const grantTo = (match: ClaimRule["match"], claims: Claims, grant: Partial<ClaimRule["grant"]> = {}) =>
  compileRules([{ match, grant: { scopes: ["score:write"], ...grant } }], "rules")(claims).next().value as
    | GrantPart
    | undefined;

const fits: Readonly<Record<string, { pattern: string; claim: unknown; fits: boolean }>> = {
  "the same text": { pattern: "acme/cart", claim: "acme/cart", fits: true },
  "another case": { pattern: "acme/cart", claim: "Acme/cart", fits: false },
  "more behind": { pattern: "acme/cart", claim: "acme/cart-2", fits: false },
  "more before": { pattern: "acme/cart", claim: "evil-acme/cart", fits: false },
  "a line break behind": { pattern: "acme/cart", claim: "acme/cart\n", fits: false },
  "* for a name": { pattern: "acme/*", claim: "acme/cart", fits: true },
  "* for an owner that begins alike": { pattern: "acme/*", claim: "acme-evil/cart", fits: false },
  "* for an owner that ends alike": { pattern: "acme/*", claim: "evil/acme/cart", fits: false },
  "* for two parts": { pattern: "acme/*", claim: "acme/shop/cart", fits: false },
  "* for nothing": { pattern: "acme/cart-*", claim: "acme/cart-", fits: false },
  "* for the end of a name": { pattern: "acme/cart-*", claim: "acme/cart-api", fits: true },
  "* for the beginning of a name": { pattern: "acme/*-api", claim: "acme/cart-api", fits: true },
  "* within a name": { pattern: "release-*-final", claim: "release-1.2-final", fits: true },
  "* for a branch": { pattern: "refs/heads/*", claim: "refs/heads/main", fits: true },
  "* for a branch with a slash": { pattern: "refs/heads/*", claim: "refs/heads/feature/x", fits: false },
  "* for a pull request": { pattern: "refs/heads/*", claim: "refs/pull/7/merge", fits: false },
  "* for anything": { pattern: "*", claim: "production", fits: true },
  "** for all that follows": { pattern: "acme/**", claim: "acme/shop/web/cart", fits: true },
  "** for one part": { pattern: "acme/**", claim: "acme/cart", fits: true },
  "** for nothing": { pattern: "acme/**", claim: "acme/", fits: false },
  "** for an owner that begins alike": { pattern: "acme/**", claim: "acme-evil/cart", fits: false },
  "a dot is a dot": { pattern: "v1.2", claim: "v1x2", fits: false },
  "what an expression would understand": { pattern: "a+(b)[c]|^$?\\d", claim: "a+(b)[c]|^$?\\d", fits: true },
  "either side of a bar": { pattern: "a|b", claim: "a", fits: false },
  "no such claim": { pattern: "*", claim: undefined, fits: false },
  "an empty claim": { pattern: "*", claim: "", fits: false },
  "the word undefined for no claim": { pattern: "undefined", claim: undefined, fits: false },
  "a boolean": { pattern: "true", claim: true, fits: true },
  "another boolean": { pattern: "true", claim: false, fits: false },
  "a number": { pattern: "46573356", claim: 46_573_356, fits: true },
  "a number that lost digits": { pattern: "9007199254740992", claim: 2 ** 53, fits: false },
  null: { pattern: "null", claim: null, fits: false },
  "a list that holds it": { pattern: "acme/*", claim: ["other", "acme/cart"], fits: true },
  "a list of others": { pattern: "acme", claim: ["acme/cart", "acm", ""], fits: false },
  "a list joined": { pattern: "acme,cart", claim: ["acme", "cart"], fits: false },
  "a list within a list": { pattern: "acme", claim: [["acme"]], fits: false },
  "an empty list": { pattern: "*", claim: [], fits: false },
  "an object": { pattern: "*", claim: { toString: "acme" }, fits: false },
};

test.each(Object.entries(fits))("%s", (_, { pattern, claim, fits }) => {
  expect(patternFault(pattern)).toBeUndefined();
  expect(grantTo({ repository: pattern }, { repository: claim }) !== undefined).toBe(fits);
});

test("what every object inherits is no claim", () => {
  expect(grantTo({ constructor: "*", toString: "*" }, {})).toBeUndefined();
});

test("all claims of a rule have to fit", () => {
  const match = { repository: "acme/cart", ref: "refs/heads/main" };
  expect(grantTo(match, { repository: "acme/cart", ref: "refs/heads/main", more: "x" })).toBeDefined();
  expect(grantTo(match, { repository: "acme/cart", ref: "refs/heads/other" })).toBeUndefined();
  expect(grantTo(match, { repository: "acme/cart" })).toBeUndefined();
});

test("a grant is bound to what placeholders took, and names its rule", () => {
  const match = { project_path: "acme/{team}/app-{app}", environment: "{stage}" };
  const claims = { sub: "project_path:acme/shop/app-cart", project_path: "acme/shop/app-cart", environment: "prod" };
  const grant = { area: "acme", team: "{team}", app: "{app}/{stage}", scopes: ["read", "score:write"] } as const;
  expect(grantTo(match, claims, grant)).toEqual({
    rule: "rules[0]",
    scopes: ["read", "score:write"],
    bounds: { area: "acme", team: "shop", app: "cart/prod" },
  });
  expect(grantTo(match, { ...claims, project_path: "acme/shop/web/app-cart" }, grant)).toBeUndefined();
});

test("a placeholder takes the text of each item of a list that fits", () => {
  const rule: ClaimRule = {
    match: { groups: "teams/{team}", areas: "{area}", kind: "*" },
    grant: { scopes: ["read"], area: "{area}", team: "{team}" },
  };
  const claims = { groups: ["all", "teams/shop", "teams/till"], areas: ["web", "a/b"], kind: ["lead", "person"] };
  expect([...compileRules([rule], "rules")(claims)]).toEqual([
    { scopes: ["read"], bounds: { area: "web", team: "shop" }, rule: "rules[0]" },
    { scopes: ["read"], bounds: { area: "web", team: "till" }, rule: "rules[0]" },
  ]);
});

test("what a placeholder took is put in as it is", () => {
  const claims = { repository: "acme/$&{team}$1" };
  expect(grantTo({ repository: "acme/{app}" }, claims, { app: "{app}" })?.bounds).toEqual({ app: "$&{team}$1" });
});

test.each([
  ["NUL", "ca\0rt", "must not hold U+0000, which is not printable, as character 3"],
  ["a no-break space", "ca\u00a0rt", "must not hold U+00A0, a space other than U+0020, as character 3"],
  ["a space at the end", "cart ", "must be a text of 1 to 200 characters, without a space at either end"],
  ["201 characters", "a".repeat(201), "must be a text of 1 to 200 characters, without a space at either end"],
])("a claim with %s makes no bound", (_, name, fault) => {
  const grantToClaims = () => grantTo({ repository: "acme/{app}" }, { repository: `acme/${name}` }, { app: "{app}" });
  expect(grantToClaims).toThrow(
    expect.objectContaining({
      code: "forbidden",
      message: `the app that the claims of this ID token name ${fault}`,
      details: [{ path: "app", message: fault }],
    }),
  );
});

test("each rule that fits grants a part", () => {
  const rule = (repository: string, area: string): ClaimRule => ({
    match: { repository },
    grant: { scopes: ["score:write"], area },
  });
  const rules = [rule("acme/cart", "first"), rule("acme/*", "second"), rule("acme/cart", "third")];
  const grantsTo = compileRules(rules, "issuers[2].rules");
  const granted = (repository: string) => [...grantsTo({ repository })].map(({ bounds, rule }) => [bounds.area, rule]);
  expect(granted("acme/cart")).toEqual([
    ["first", "issuers[2].rules[0]"],
    ["second", "issuers[2].rules[1]"],
    ["third", "issuers[2].rules[2]"],
  ]);
  expect(granted("acme/till")).toEqual([["second", "issuers[2].rules[1]"]]);
  expect(granted("other/till")).toEqual([]);
});

describe("a pattern", () => {
  test.each([
    "a**",
    "**",
    "**/cart",
    "a/**/b",
    "a*b*c",
    "{a}{b}",
    "{a}-{b}",
    "*{a}",
    "{App}",
    "{app",
    "app}",
    "{}",
    "{a b}",
  ])("may not be %s", (pattern) => expect(patternFault(pattern)).toMatch(/\*\* as all that follows the last/));

  test("takes no time to find that nothing fits, however long the claim", () => {
    const match = { ref: "refs/a*/b*/c*/{d}/e*f" };
    expect(grantTo(match, { ref: `refs/${"a/b/c/e".repeat(1_000)}` })).toBeUndefined();
  });

  test("has its placeholders in order", () => {
    expect(placeholders("{area}/x-{team}/{app}")).toEqual(["area", "team", "app"]);
    expect(placeholders("acme/*")).toEqual([]);
  });
});
