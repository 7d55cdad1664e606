import { expect, test } from "vitest";
import { revokeToken } from "../src/auth/tokens.ts";
import type { Bounds } from "../src/model/grant.ts";
import { basket, cart, tokenOf, useCart } from "./support/moves/cart.ts";
import { post } from "./support/requests.ts";

/** What a move says of the tokens of a service. */
interface Said {
  readonly from: object;
  readonly to: object;
  readonly tokens: readonly string[];
}

const bounds: Readonly<Record<string, Bounds>> = {
  area: { area: "shop" },
  team: { area: "shop", team: "checkout" },
  app: cart,
  "other app": basket,
  "other team": { area: "shop", team: "search" },
  "any team of that name": { team: "checkout" },
  "any app of that name": { app: "cart" },
};

test.each<Said>([
  { from: cart, to: basket, tokens: ["app", "any app of that name"] },
  { from: cart, to: { ...cart, team: "pay" }, tokens: ["team", "app", "any team of that name"] },
  {
    ...{ from: { area: "shop", team: "checkout" }, to: { area: "shop", team: "pay" } },
    tokens: ["team", "app", "other app", "any team of that name"],
  },
  { from: { area: "shop" }, to: { area: "store" }, tokens: ["area", "team", "app", "other app", "other team"] },
])("a move of $from to $to shows which tokens do not come along", async ({ from, to, tokens }) => {
  const { service, admin } = await useCart();
  const ids = new Map<string, number>();
  for (const [name, of] of Object.entries(bounds)) ids.set(name, (await tokenOf(service, name, of)).id);
  await tokenOf(service, "expired", cart, { expiresAt: new Date(0) });
  await revokeToken(service.database.knex, (await tokenOf(service, "revoked", cart)).id);
  const said = tokens.map((name) => ({ id: ids.get(name), name }));
  for (const dry_run of [true, false]) {
    const { status, body } = await post(service, "/apps/move", { from, to, dry_run }, admin.headers);
    expect({ status, tokens: body.tokens }).toEqual({ status: 200, tokens: said });
  }
});

test("a bounded admin is named no token that reaches beyond his bounds", async () => {
  const { service } = await useCart();
  for (const [name, of] of Object.entries(bounds)) await tokenOf(service, name, of);
  const { headers } = await tokenOf(service, "Ann", { area: "shop" });
  const { body } = await post(service, "/apps/move", { from: cart, to: { ...cart, team: "pay" } }, headers);
  expect(body.tokens).toMatchObject([{ name: "team" }, { name: "app" }]);
});
