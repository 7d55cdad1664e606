import { expect, test } from "vitest";
import { mayAsk, mayDecide, ownBounds, placeOf, readBounds } from "./rights.ts";
import type { GrantPart, Session } from "./session.ts";

const shop = { area: "shop" };
const checkout = { area: "shop", team: "checkout" };

function signedIn(grants: readonly GrantPart[], kind: Session["kind"] = "sign_in"): Session {
  return { name: "ann@example.com", grants, expires_at: "2026-11-24T12:00:00Z", kind };
}

test.each<[string, Session | null, object | undefined, boolean]>([
  ["within the bounds", signedIn([{ scopes: ["waiver:request"], bounds: shop }]), checkout, true],
  ["by the scope to waive", signedIn([{ scopes: ["waiver:write"], bounds: {} }]), shop, true],
  ["by the scope of everything", signedIn([{ scopes: ["admin"], bounds: {} }]), shop, true],
  ["for more than the bounds", signedIn([{ scopes: ["waiver:request"], bounds: checkout }]), shop, false],
  [
    "by the scope of one rule in the bounds of another",
    signedIn([
      { scopes: ["waiver:request"], bounds: { area: "payments" } },
      { scopes: ["read"], bounds: {} },
    ]),
    shop,
    false,
  ],
  ["for anything", signedIn([{ scopes: ["waiver:request"], bounds: checkout }]), undefined, true],
  ["with a pasted token", signedIn([{ scopes: ["waiver:write"], bounds: {} }], "token"), shop, false],
  ["without a session", null, shop, false],
])("to ask for a waiver %s", (_, session, target, may) => {
  expect(mayAsk(session, target)).toBe(may);
});

test("the scope to ask is none to decide", () => {
  expect(mayDecide(signedIn([{ scopes: ["read", "waiver:request"], bounds: {} }]))).toBe(false);
  expect(mayDecide(signedIn([{ scopes: ["waiver:write"], bounds: shop }]))).toBe(true);
});

test("bounds of several rules are named once, and none where one rule shows all", () => {
  const grants = [
    { scopes: ["read"], bounds: { team: "checkout", area: "shop" } },
    { scopes: ["read", "waiver:write"], bounds: checkout },
    { scopes: ["waiver:write"], bounds: shop },
  ];
  expect(ownBounds(signedIn(grants))).toEqual([checkout, shop]);
  expect(readBounds(signedIn(grants))).toEqual([checkout]);
  expect(readBounds(signedIn([...grants, { scopes: ["read"], bounds: {} }]))).toEqual([]);
  expect(ownBounds(signedIn([...grants, { scopes: ["read"], bounds: {} }]))).toEqual([checkout, shop]);
  expect(ownBounds(signedIn(grants, "token"))).toEqual([]);
});

test.each([
  [shop, shop],
  [checkout, checkout],
  [
    { ...checkout, app: "cart" },
    { ...checkout, app: "cart" },
  ],
  [{ team: "checkout" }, { view: "applications", team: "checkout" }],
  [
    { area: "shop", app: "cart" },
    { view: "applications", area: "shop", q: "cart" },
  ],
])("the bounds %j are shown at %j", (bounds, place) => {
  expect(placeOf(bounds)).toEqual(place);
});
