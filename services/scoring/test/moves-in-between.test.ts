import { describe, expect, test } from "vitest";
import type { AppName } from "../src/model/app-name.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";

const app = (name: string): AppName => ({ area: "shop", team: "checkout", app: name });
const dast = { env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } };

const score = (service: TestService, name: AppName) => post(service, "/score", { ...name, ...dast });

async function action(service: TestService, kind: "move" | "retire" | "restore", body: object): Promise<void> {
  expect(await post(service, `/apps/${kind}`, body)).toMatchObject({ status: 200 });
}

const move = (service: TestService, from: AppName, to: AppName) => action(service, "move", { from, to });

describe.each(engines)("on %s", (kind) => {
  test("a thousand entries under former names, current ones and new ones are stored whole, each where it belongs", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const known = Array.from({ length: 400 }, (_, index) => app(`known-${index}`));
    await post(service, "/scores", { scores: known.map((name) => ({ ...name, ...dast })) });
    await move(service, app("known-7"), app("renamed"));
    await action(service, "move", { from: { area: "shop", team: "checkout" }, to: { area: "shop", team: "till" } });
    const sent = Array.from({ length: 1_000 }, (_, index) =>
      index % 2 === 0 ? app(`known-${index % 400}`) : { area: "shop", team: `team-${index % 3}`, app: `new-${index}` },
    );
    const { status, body } = await post(service, "/scores", { scores: sent.map((name) => ({ ...name, ...dast })) });
    expect(status).toBe(200);
    const stored = (body.scores as { moved_to?: AppName }[]).map(({ moved_to }, place) => moved_to ?? sent[place]);
    expect(stored).toEqual(sent.map((name) => (name.team === "checkout" ? { ...name, team: "till" } : name)));
  });
});

test("each instance knows of what another one did with a name", async () => {
  const databaseUrl = await createDatabase("postgres");
  const [one, other] = [await useService({ databaseUrl }), await useService({ databaseUrl })];
  const [cart, basket, later] = [app("cart"), app("basket"), app("later")];
  await score(one, cart);
  await action(one, "retire", { ...cart, reason: "gone" });
  for (const instance of [one, other, one, other])
    expectRefusal(await score(instance, cart), { status: 409, code: "app-retired", paths: ["app"] });
  await action(other, "restore", cart);
  for (const instance of [one, other]) expect((await score(instance, cart)).body).not.toHaveProperty("moved_to");

  await move(one, cart, basket);
  for (const instance of [one, other])
    expect(await score(instance, cart)).toMatchObject({ body: { moved_to: basket } });
  await action(other, "move", { from: basket, to: cart, merge: true });
  for (const instance of [one, other]) {
    const { status, body } = await score(instance, cart);
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("moved_to");
    expect(await score(instance, basket)).toMatchObject({ body: { moved_to: cart } });
  }
  await move(one, cart, later);
  await action(one, "retire", { ...later, reason: "gone" });
  for (const instance of [one, other])
    for (const name of [cart, basket, later])
      expectRefusal(await score(instance, name), { status: 409, code: "app-retired", paths: ["app"] });
  await action(one, "restore", later);
  for (const instance of [one, other])
    for (const name of [cart, basket]) expect(await score(instance, name)).toMatchObject({ body: { moved_to: later } });
  expect((await readPage(one, "/scores")).items).toMatchObject([later]);
});
