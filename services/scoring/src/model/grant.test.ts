import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Bounds, type Grant, isIn, isWithin, narrow, partsWith, requireWithin, type Scope } from "./grant.ts";
import type { NameFilter } from "./target-filter.ts";

const grantOf = (...bounds: Bounds[]): Grant => ({
  ...{ name: "ann", caller: "ann" },
  parts: bounds.map((bounds) => ({ scopes: ["read"], bounds })),
});

const name = fc.constantFrom("a", "b", "c");
const names = fc.record({ area: name, team: name, app: name });
const anyBounds = fc.record({ area: name, team: name, app: name }, { requiredKeys: [] });
const anyGrant = fc.array(anyBounds, { minLength: 1, maxLength: 4 }).map((all) => grantOf(...all));
const filter = fc.record(
  Object.fromEntries(["area", "team", "app"].map((field) => [field, fc.uniqueArray(name, { minLength: 1 })])),
  { requiredKeys: [] },
) as fc.Arbitrary<{ readonly area?: string[]; readonly team?: string[]; readonly app?: string[] }>;

describe("several bounds", () => {
  test("a write is within them if it is within any, and the error says which value would be", () => {
    const grant = grantOf({ area: "shop", team: "till" }, { area: "shop", team: "cart" }, { area: "web" });
    expect(() => requireWithin(grant, { area: "web", team: "x", app: "y" })).not.toThrow();
    expect(() => requireWithin(grant, { area: "bank", team: "till" }, "from")).toThrow(
      expect.objectContaining({
        code: "forbidden",
        message: 'you are bound to the area "shop" or "web"',
        details: [{ path: "from.area", message: 'must be "shop" or "web"' }],
      }),
    );
    expect(() => requireWithin(grant, { area: "shop", team: "x" })).toThrow(
      expect.objectContaining({ details: [{ path: "team", message: 'must be "cart" or "till"' }] }),
    );
  });

  test("refuse exactly the writes that none of them includes", () => {
    fc.assert(
      fc.property(anyGrant, names, (grant, written) => {
        const isAllowed = grant.parts.some(({ bounds }) => isIn(bounds, written));
        expect(isWithin(grant, written)).toBe(isAllowed);
        if (isAllowed) requireWithin(grant, written);
        else expect(() => requireWithin(grant, written)).toThrow();
      }),
    );
  });

  test("narrow a filter to exactly what it matches within them, or refuse it", () => {
    fc.assert(
      fc.property(anyGrant, filter, names, (grant, filter, row) => {
        const matches = (wanted: NameFilter) =>
          Object.entries(wanted).every(([field, values]) => values.includes(row[field as keyof Bounds]));
        let narrowed: ReturnType<typeof narrow>;
        try {
          narrowed = narrow(grant, filter);
        } catch {
          const isOfOneName = Object.values(filter).every((values) => values.length === 1);
          expect(isOfOneName && matches(filter) && isWithin(grant, row)).toBe(false);
          return;
        }
        const { within, ...wanted } = narrowed;
        const isShown = matches(wanted) && (within?.some((bounds) => isIn(bounds, row)) ?? true);
        expect(isShown).toBe(matches(filter) && isWithin(grant, row));
      }),
      { numRuns: 2_000 },
    );
  });

  test("a single one becomes values of the filter, and one that includes another takes its place", () => {
    expect(narrow(grantOf({ area: "a", team: "t" }), { app: ["x"] })).toEqual({ app: ["x"], area: ["a"], team: ["t"] });
    expect(narrow(grantOf({ area: "a", team: "t" }, { area: "a" }, { area: "a" }), {})).toEqual({ area: ["a"] });
    expect(narrow(grantOf({ area: "a" }, {}), { team: ["t"] })).toEqual({ team: ["t"] });
    expect(narrow(grantOf({ area: "a" }, { team: "t" }), {})).toEqual({ within: [{ area: "a" }, { team: "t" }] });
  });
});

test("a part lends its scope to no other part", () => {
  const part = (scope: Scope, area: string) => ({ scopes: [scope], bounds: { area } });
  const grant = { ...grantOf(), parts: [part("read", "shop"), part("waiver:write", "web"), part("admin", "bank")] };
  const areas = partsWith(grant, ["waiver:write", "admin"]).parts.map(({ bounds }) => bounds.area);
  expect(areas).toEqual(["web", "bank"]);
});
