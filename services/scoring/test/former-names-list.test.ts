import { expect, test } from "vitest";
import type { Bounds } from "../src/model/grant.ts";
import { basket, cart, tokenOf, useCart } from "./support/moves/cart.ts";
import { readPage } from "./support/reading.ts";
import { post, put } from "./support/requests.ts";

const loans = { area: "shop", team: "loans", app: "ledger" };

interface FormerName {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
}

/** A service in which the area shop is called bank, the team checkout till, and the application cart trolley. */
async function useRenamed() {
  const { service, admin } = await useCart();
  await put(service, "/registry", { apps: [basket, loans, { ...loans, area: "mail", team: "post" }] }, admin.headers);
  for (const [from, to] of [
    [cart, { ...cart, app: "trolley" }],
    [
      { area: "shop", team: "checkout" },
      { area: "shop", team: "till" },
    ],
    [{ area: "shop" }, { area: "bank" }],
    [{ area: "mail" }, { area: "courier" }],
  ] as const) {
    expect(await post(service, "/apps/move", { from, to }, admin.headers)).toMatchObject({ status: 200 });
  }
  const listed = async (query: Record<string, string>, bounds: Bounds) => {
    const { headers } = await tokenOf(service, JSON.stringify([query, bounds]), bounds, { scopes: ["read"] });
    const { items } = await readPage<FormerName>(service, "/former-names", query, headers);
    return items.map(({ area, team, app }) => [area, team, app].filter((name) => name !== null).join("/"));
  };
  return listed;
}

const [ofShop, ofTill, ofTrolley, ofMail] = ["shop", "shop/checkout", "shop/checkout/cart", "mail"] as const;

/** Filters and bounds, with what they list. */
const narrowings: readonly (readonly [Bounds, readonly string[]])[] = [
  [{}, [ofMail, ofShop, ofTill, ofTrolley]],
  [{ area: "bank" }, [ofShop, ofTill, ofTrolley]],
  [{ area: "courier" }, [ofMail]],
  [{ team: "till" }, [ofShop, ofTill, ofTrolley]],
  [{ team: "loans" }, [ofShop]],
  [{ team: "post" }, [ofMail]],
  [{ area: "bank", team: "loans" }, [ofShop]],
  [{ area: "bank", team: "post" }, []],
  [{ app: "trolley" }, [ofShop, ofTill, ofTrolley]],
  [{ app: "basket" }, [ofShop, ofTill]],
  [{ app: "ledger" }, [ofMail, ofShop]],
  [{ team: "loans", app: "trolley" }, []],
];

test("a former name of an area or a team is listed for whatever has an application there, and for nothing else", async () => {
  const listed = await useRenamed();
  for (const [names, expected] of narrowings) {
    const { area, team, app } = names;
    const query = { ...(area && { area }), ...(team && { team }), ...(app && { app }) };
    expect.soft((await listed({}, names)).toSorted(), `bounds ${JSON.stringify(names)}`).toEqual(expected);
    expect.soft((await listed(query, {})).toSorted(), `query ${JSON.stringify(names)}`).toEqual(expected);
  }
  expect(await listed({ area: "shop" }, {})).toEqual([]);
  expect(await listed({ team: "checkout" }, {})).toEqual([]);
});
