import type { Target } from "@maturity/core";
import { expect, test } from "vitest";
import { type Bounds, type GrantPart, isCompatible, scopesOf } from "../src/model/grant.ts";
import { type AuditEntry, auditActions } from "../src/store/audit.ts";
import { record } from "./support/audit.ts";
import { type TestService, useService } from "./support/service.ts";

const fields = ["area", "team", "app", "env"] as const;

const targets: readonly Target[] = [
  { area: "shop", team: "checkout", app: "cart", env: "eu" },
  { area: "shop", team: "search", app: "index", env: "us" },
  { area: "bank", team: "loans", app: "ledger", env: "asia" },
];

/** Each area, team and application, and each of these in its environment. */
const subtrees = targets.flatMap((target) =>
  fields.map((_, depth) => Object.fromEntries(Object.entries(target).slice(0, depth + 1)) as Partial<Target>),
);

const depthOf = (names: object) => Object.keys(names).length;

/** What a campaign can be for: an area, a team, two of them, or all. */
const scopes = ["shop", "bank"].flatMap((area) =>
  targets.flatMap(({ area: other, team }) => {
    const teams = [{ area: other, team }];
    return [{ areas: [area] }, { areas: ["shop", "bank"] }, { teams }, { areas: [area], teams }, { tier: ["1"] }];
  }),
);

/** An entry of each action on each names, with each new name and each scope. */
const entries: readonly Partial<AuditEntry>[] = auditActions.flatMap((action): Partial<AuditEntry>[] => {
  if (action === "app.move") {
    const pairs = subtrees.flatMap((target) => subtrees.map((to) => ({ target, to })));
    return pairs
      .filter(({ target, to }) => target !== to && depthOf(target) === depthOf(to) && !("env" in to))
      .map(({ target, to }) => ({ action, target, details: { to, merge: false } }));
  }
  const ofNames = [{}, ...subtrees].map((target) => ({ action, target, details: {} }));
  return action.startsWith("campaign.")
    ? [...ofNames.slice(1), ...scopes.map((scope) => ({ action, target: {}, details: { scope } }))]
    : ofNames;
});

const reads = (...bounds: readonly Bounds[]): GrantPart[] => bounds.map((one) => ({ scopes: ["read"], bounds: one }));
const rules = (bounds: Bounds): GrantPart => ({ scopes: ["admin"], bounds });
const [cart, , ledger] = targets as [Target, Target, Target];

/** The parts of the grants of callers that read a part of the organisation. */
const callers: readonly (readonly GrantPart[])[] = [
  ...subtrees.filter((names) => !("env" in names)).map((names) => reads(names)),
  ...[reads({ team: cart.team }), reads({ app: cart.app }), reads({ team: ledger.team, app: ledger.app })],
  reads({ area: cart.area, team: cart.team }, { app: "index" }),
  ...[[rules({ area: "shop" })], [rules({ team: "checkout" })]],
  [rules({ area: "shop", team: "search" }), ...reads({ team: "checkout" })],
];

/** How many entries a query finds, or the code of its error. */
async function countOf(
  { server }: TestService,
  parts: readonly GrantPart[],
  field: keyof Target,
  names: readonly string[],
): Promise<unknown> {
  const grant = { name: "caller", caller: "caller", parts };
  const { payload } = await server.inject({
    url: `/audit?limit=1&${new URLSearchParams(names.map((name): [string, string] => [field, name]))}`,
    auth: { strategy: "session", credentials: { grant, scope: [...scopesOf(grant)] } },
  });
  const { total, code } = JSON.parse(payload);
  return total ?? code;
}

test("a filter by a name of which a caller may read nothing finds what a name that nothing has finds", async () => {
  const service = await useService({ auth: "token" });
  await record(service, entries);
  for (const parts of callers) {
    const reached = subtrees.filter((names) => parts.some(({ bounds }) => isCompatible(bounds, names)));
    for (const field of fields) {
      const known = reached.flatMap((names) => names[field] ?? []);
      const names = new Set(targets.map((target) => target[field]).filter((name) => !known.includes(name)));
      const count = (name: string) => countOf(service, parts, field, [...known.slice(0, 1), name]);
      const none = await count("none");
      for (const name of names) expect(await count(name), JSON.stringify({ parts, field, name })).toBe(none);
    }
  }
});
