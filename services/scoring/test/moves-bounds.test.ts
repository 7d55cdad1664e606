import { expect, test } from "vitest";
import type { Bounds } from "../src/model/grant.ts";
import { basket, cart, tokenOf, useCart } from "./support/moves/cart.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post, put } from "./support/requests.ts";

const away = { area: "bank", team: "loans", app: "cart" };

interface OpenapiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly { name: string }[] } }>>;
}

test("nobody registers what has left his bounds, by the name that it had inside", async () => {
  const { service, admin } = await useCart();
  const move = { from: cart, to: away };
  expect(await post(service, "/apps/move", move, admin.headers)).toMatchObject({ status: 200 });
  const { headers } = await tokenOf(service, "shop", { area: "shop" });
  const message = /^shop\/checkout\/cart has moved out of your bounds$/;
  for (let time = 1; time <= 2; time++) {
    const one = await put(service, "/registry", { ...cart, owner: "mallory" }, headers);
    expectRefusal(one, { status: 403, code: "forbidden", paths: ["app"], message });
    const list = await put(service, "/registry", { apps: [basket, { ...cart, owner: "mallory" }] }, headers);
    expectRefusal(list, { status: 403, code: "forbidden", paths: ["apps[1]"], message });
    await put(service, "/registry", cart, admin.headers); // from now on the name is remembered
  }
  const { items } = await readPage(service, "/registry", {}, admin.headers);
  expect(items).toMatchObject([{ ...away, owner: null }]);
  const bound = await tokenOf(service, "bank", { area: "bank" });
  expectRefusal(await put(service, "/registry", cart, bound.headers), {
    status: 403,
    code: "forbidden",
    paths: ["area"],
  });
});

test("what came back into his bounds he registers again, though an instance remembers that it left", async () => {
  const { service, admin } = await useCart();
  const move = async (from: object, to: object) =>
    expect(await post(service, "/apps/move", { from, to, merge: true }, admin.headers)).toMatchObject({ status: 200 });
  await move(cart, away);
  await put(service, "/registry", cart, admin.headers); // from now on the name is remembered
  await move(away, cart);
  const { headers } = await tokenOf(service, "shop", { area: "shop" });
  for (const entry of [{ ...cart, owner: "Ann" }, { apps: [basket, { ...cart, owner: "Bob" }] }]) {
    expect(await put(service, "/registry", entry, headers)).toMatchObject({
      status: 200,
      body: { changed: 1, moved: [] },
    });
  }
});

test("a name that left the bounds is shown to nobody inside, and one within them is", async () => {
  const { service, admin } = await useCart();
  const { headers } = await tokenOf(service, "shop", { area: "shop" });
  const refused = async (message: RegExp, by: typeof headers) => {
    const to = { ...cart, app: "other" };
    const refusal = { status: 404, code: "not-found", message };
    expectRefusal(await post(service, "/apps/move", { from: cart, to }, by), refusal);
    expectRefusal(await post(service, "/apps/retire", { ...cart, reason: "gone" }, by), refusal);
  };
  const move = { from: cart, to: basket };
  expect(await post(service, "/apps/move", move, admin.headers)).toMatchObject({ status: 200 });
  await refused(/it is called shop\/checkout\/basket now$/, headers);
  expect(await post(service, "/apps/move", { from: basket, to: away }, admin.headers)).toMatchObject({ status: 200 });
  await refused(/of shop\/checkout\/cart$/, headers);
  await refused(/it is called bank\/loans\/cart now$/, admin.headers);
});

test("who reports under a former name hears the new one within his bounds, and nothing of one beyond them", async () => {
  const { service, admin } = await useCart();
  const target = { ...cart, env: "prod" };
  const score = { ...target, scorecard: "security", metric: "secret_scan", raw: { found: false } };
  const problem = { ...target, problem_type: "secret", severity: "high", count: 0 };
  const ways = [
    ["/score", score],
    ["/scores", { scores: [score] }],
    ["/problem/scan-result", problem],
  ] as const;
  const toArea = await tokenOf(service, "area", { area: "shop" });
  const toTeam = await tokenOf(service, "team", { area: "shop", team: "checkout" });
  const said = async ({ headers }: typeof admin) => {
    const answers = await Promise.all(ways.map(([path, body]) => post(service, path, body, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    return answers.map(({ body }) => ((body.scores as (typeof body)[] | undefined)?.[0] ?? body).moved_to);
  };
  const till = { area: "shop", team: "till", app: "till" };
  const nothing = [undefined, undefined, undefined];
  expect(await post(service, "/apps/move", { from: cart, to: till }, admin.headers)).toMatchObject({ status: 200 });
  expect(await said(admin)).toEqual([till, till, till]);
  expect(await said(toArea)).toEqual([till, till, till]);
  expect(await said(toTeam)).toEqual(nothing);
  expect(await post(service, "/apps/move", { from: till, to: away }, admin.headers)).toMatchObject({ status: 200 });
  expect(await said(admin)).toEqual([away, away, away]);
  expect(await said(toArea)).toEqual(nothing);
  // A refusal shows no more than an answer.
  const retire = { ...away, reason: "replaced" };
  expect(await post(service, "/apps/retire", retire, admin.headers)).toMatchObject({ status: 200 });
  for (const [path, body] of ways) {
    const refused = await post(service, path, body, toArea.headers);
    expect(refused).toMatchObject({ status: 409, body: { code: "app-retired" } });
    expect(JSON.stringify(refused.body)).toContain("shop/checkout/cart is retired");
    expect(JSON.stringify(refused.body)).not.toContain("loans");
  }
});

/** The application, its team, its area and everything. */
const asked: readonly Bounds[] = [cart, { area: "shop", team: "checkout" }, { area: "shop" }, {}];

/** The statuses of lists of these, after a move of the application, of its team and of its area. */
test.each<{ bounds: Bounds; app: number[]; team: number[]; area: number[] }>([
  { bounds: cart, app: [403, 403, 403, 403], team: [403, 403, 403, 403], area: [403, 403, 403, 403] },
  {
    ...{ bounds: { area: "shop", team: "checkout" } },
    ...{ app: [403, 200, 200, 200], team: [403, 403, 403, 403], area: [403, 403, 403, 403] },
  },
  { bounds: { area: "shop" }, app: [403, 200, 200, 200], team: [403, 403, 200, 200], area: [403, 403, 403, 403] },
  {
    ...{ bounds: { area: "shop", app: "cart" } },
    ...{ app: [403, 403, 200, 200], team: [403, 403, 200, 200], area: [403, 403, 403, 403] },
  },
  { bounds: { team: "checkout" }, app: [403, 200, 200, 200], team: [403, 403, 403, 200], area: [200, 200, 200, 200] },
  { bounds: { app: "cart" }, app: [403, 403, 200, 200], team: [200, 200, 200, 200], area: [200, 200, 200, 200] },
  { bounds: {}, app: [200, 200, 200, 200], team: [200, 200, 200, 200], area: [200, 200, 200, 200] },
])("a caller bound to $bounds hears that what a list is of has left, and not where it went", async (expected) => {
  const target = { ...cart, env: "prod" };
  const score = { ...target, scorecard: "security", metric: "secret_scan", raw: { found: false } };
  for (const [depth, from, to] of [
    ["app", cart, { area: "bank", team: "loans", app: "loan" }],
    ["team", { area: "shop", team: "checkout" }, { area: "bank", team: "loans" }],
    ["area", { area: "shop" }, { area: "bank" }],
  ] as const) {
    const { service, admin } = await useCart();
    await post(service, "/score", score, admin.headers);
    const reader = await tokenOf(service, "reader", expected.bounds, { scopes: ["read"] });
    const read = async (name: object) => {
      const query = new URLSearchParams({ ...name, env: "prod" });
      const { statusCode, payload } = await service.server.inject({ url: `/scores?${query}`, headers: reader.headers });
      return { statusCode, payload };
    };
    for (const names of asked) expect((await read(names)).payload).toContain('"items":[{"area":"shop"');
    expect(await post(service, "/apps/move", { from, to }, admin.headers)).toMatchObject({ status: 200 });
    const answers = await Promise.all(asked.map(read));
    expect({ depth, statuses: answers.map(({ statusCode }) => statusCode) }).toEqual({
      depth,
      statuses: expected[depth],
    });
    for (const [place, { statusCode, payload }] of answers.entries()) {
      if (statusCode === 403) expect(payload).toMatch(/shop[^ ]* has moved out of your bounds/);
      if (statusCode === 403 || asked[place]?.area) expect(payload).not.toMatch(/bank|loan/);
    }
  }
});

test.each<{ what: string; names: Bounds; from: Bounds; to: Bounds; control?: Bounds }>([
  { what: "an application", names: cart, from: cart, to: away, control: basket },
  { what: "an area", names: { area: "shop" }, from: { area: "shop" }, to: { area: "bank" } },
])(
  "every list that takes the name of $what refuses one that has left the bounds, in every format, but for the audit, which has its past",
  async ({ names, from, to, control }) => {
    const { service, admin } = await useCart();
    const { headers } = await tokenOf(service, "reader", { area: "shop" }, { scopes: ["read"] });
    const document: OpenapiDocument = JSON.parse((await service.server.inject("/openapi.json")).payload);
    const paths = Object.entries(document.paths).flatMap(([path, { get }]) => {
      const parameters = new Set((get?.parameters ?? []).map(({ name }) => name));
      const takesNames = [...Object.keys(names), "limit"].every((name) => parameters.has(name));
      return takesNames && !path.includes("{") && path !== "/audit" ? [path] : [];
    });
    expect(paths).toEqual(
      expect.arrayContaining(["/apps", "/changes", "/history", "/problems", "/scores", "/waivers"]),
    );
    const read = async (path: string, accept: string, query: Bounds) => {
      const env = path === "/history" && { env: "prod" };
      const url = `${path}?${new URLSearchParams({ ...query, ...env })}`;
      const answer = await service.server.inject({ url, headers: { ...headers, accept } });
      return { path, accept, statusCode: answer.statusCode, text: answer.payload };
    };
    const formats = ["application/json", "text/csv", "application/x-ndjson"];
    const asked = paths.flatMap((path) => formats.map((accept) => [path, accept] as const));
    await post(service, "/apps/move", { from, to }, admin.headers);
    for (const [path, accept] of asked) {
      const answer = await read(path, accept, names);
      expect.soft(answer).toMatchObject({ path, accept, statusCode: 403 });
      expect.soft(answer.text).toContain(`${Object.values(names).join("/")} has moved out of your bounds`);
      expect.soft(answer.text).not.toMatch(/bank|loan/);
      if (control) expect.soft(await read(path, accept, control)).toMatchObject({ path, accept, statusCode: 200 });
    }
    const audit = await service.server.inject({
      url: `/audit?${new URLSearchParams({ ...names, actor: "nobody" })}`,
      headers,
    });
    expect(audit.statusCode).toBe(200);
  },
);

test("a former name within the bounds of what is within them reads as before", async () => {
  const { service, admin } = await useCart();
  expect(await post(service, "/apps/move", { from: cart, to: basket }, admin.headers)).toMatchObject({ status: 200 });
  const { headers } = await tokenOf(service, "shop", { area: "shop" }, { scopes: ["read"] });
  const query = new URLSearchParams(cart);
  expect(await service.server.inject({ url: `/scores?${query}`, headers })).toMatchObject({ statusCode: 200 });
});

test("a former name in the way does not show what it became outside the bounds", async () => {
  const { service, admin } = await useCart();
  await post(service, "/apps/move", { from: cart, to: away }, admin.headers);
  await put(service, "/registry", basket, admin.headers);
  const reasonTo = async ({ headers }: typeof admin) =>
    (await post(service, "/apps/move", { from: basket, to: cart }, headers)).body.message;
  expect(await reasonTo(admin)).toMatch(/^shop\/checkout\/cart is a former name of bank\/loans\/cart, so/);
  const bounded = await tokenOf(service, "shop", { area: "shop" });
  expect(await reasonTo(bounded)).toMatch(/^shop\/checkout\/cart is a former name of something else, so/);
});

test("a retired application in the way is named first, as the code says", async () => {
  const { service, admin } = await useCart();
  const ask = (path: string, body: object) => post(service, path, body, admin.headers);
  const [other, here] = [
    { area: "shop", team: "other" },
    { area: "shop", team: "checkout" },
  ];
  for (const app of ["a", "cart", "z"]) await put(service, "/registry", { ...other, app }, admin.headers);
  for (const app of ["a", "z"]) await put(service, "/registry", { ...here, app }, admin.headers);
  await ask("/apps/move", { from: { ...here, app: "a" }, to: away });
  await ask("/apps/retire", { ...here, app: "z", reason: "gone" });
  expectRefusal(await ask("/apps/move", { from: other, to: here, merge: true }), {
    ...{ status: 409, code: "app-retired", message: /^one of the two that would be shop\/checkout\/z is retired/ },
    paths: ["to", "to"],
  });
});

test("a move out of the bounds names the side that is outside", async () => {
  const { service } = await useCart();
  const { headers } = await tokenOf(service, "shop", { area: "shop" });
  const refused = { status: 403, code: "forbidden", message: /bound to the area "shop"/ };
  expectRefusal(await post(service, "/apps/move", { from: cart, to: away }, headers), {
    ...refused,
    paths: ["to.area"],
  });
  expectRefusal(await post(service, "/apps/move", { from: away, to: cart }, headers), {
    ...refused,
    paths: ["from.area"],
  });
});
