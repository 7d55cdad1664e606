import { describe, expect, test } from "vitest";
import type { AppName, Subtree } from "../src/model/app-name.ts";
import { type Action, createNamesModel } from "./support/moves/model.ts";
import { readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, type TestService, useService } from "./support/service.ts";

const app = (team: string, name = "cart") => ({ area: "shop", team, app: name });
const team = (name: string) => ({ area: "shop", team: name });

const score = (service: TestService, name: object) =>
  post(service, "/score", { ...name, env: "prod", scorecard: "security", metric: "dast", raw: { high: 0, medium: 0 } });

async function move(service: TestService, from: object, to: object, merge = false): Promise<void> {
  expect(await post(service, "/apps/move", { from, to, merge })).toMatchObject({ status: 200 });
}

/** Where a report under each of these names is stored. */
async function whereTo(service: TestService, names: readonly object[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const name of names) {
    const { status, body } = await score(service, name);
    expect(status).toBe(200);
    found.push(body.moved_to ?? name);
  }
  return found;
}

/** The first name of the team, its later one, and what then becomes of it: the team is renamed again, or named as before. */
const later: Readonly<Record<string, { to: object; merge: boolean }>> = {
  "the team is renamed once more": { to: team("three"), merge: false },
  "the team gets its first name back": { to: team("one"), merge: true },
};

describe.each(engines)("on %s", (kind) => {
  test.each(Object.entries(later))(
    "an application that left its renamed team is found under all its former names after %s",
    async (_, { to, merge }) => {
      const service = await useService({ databaseUrl: await createDatabase(kind) });
      for (const name of [app("one"), app("one", "other")]) await score(service, name);
      await move(service, team("one"), team("two"));
      await move(service, app("two"), app("elsewhere"));
      await move(service, team("two"), to, merge);
      const instance = await useInstanceOf(service, kind);
      const former = [app("one"), app("two")];
      for (const one of [service, instance])
        expect(await whereTo(one, former)).toEqual(former.map(() => app("elsewhere")));
      const { items } = await readPage(service, "/apps");
      expect(items).toMatchObject([app("elsewhere"), { ...to, app: "other" }]);
    },
  );

  test("a team that left its renamed area is found under all its former names", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    for (const name of ["one", "other"]) await score(service, app(name));
    await move(service, { area: "shop" }, { area: "store" });
    await move(service, { area: "store", team: "one" }, { area: "mall", team: "one" });
    await move(service, { ...app("one"), area: "mall" }, { area: "yard", team: "two", app: "cart" });
    await move(service, { area: "store" }, { area: "shop" }, true);
    const former = [app("one"), { ...app("one"), area: "store" }, { ...app("one"), area: "mall" }];
    expect(await whereTo(service, former)).toEqual(former.map(() => ({ area: "yard", team: "two", app: "cart" })));
    expect(await whereTo(service, [app("one", "new")])).toEqual([{ area: "mall", team: "one", app: "new" }]);
  });

  test("a name that nobody had leads to what the name that its team gets back is a former one of", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    for (const name of ["cart", "basket"]) await score(service, app("one", name));
    await move(service, app("one"), app("one", "basket"), true);
    await move(service, team("one"), team("two"));
    await move(service, team("two"), team("one"), true);
    expect(await whereTo(service, [app("two"), app("one")])).toEqual(Array(2).fill(app("one", "basket")));
  });

  test("a name that nobody had stays with the application that its first report was stored in", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const model = createNamesModel();
    const newcomer = { area: "yard", team: "gate", app: "cart" };
    const moves: Action[] = [
      [app("one"), app("one", "basket")],
      [team("one"), team("two")],
      [team("two"), team("one")],
      [app("one", "basket"), { ...app("four"), area: "mall" }],
      [{ area: "shop" }, { area: "store" }],
      [newcomer, { ...app("one"), area: "store" }],
    ].map(([from, to]) => ({ kind: "move", from: from as Subtree, to: to as Subtree, merge: true }));

    for (const name of [app("one"), app("one", "other"), newcomer]) await score(service, name);
    const known = async (name: AppName): Promise<void> => {
      const [to] = await whereTo(service, [name]);
      const moment = model.actions.length;
      model.report({ sent: name, from: moment, to: moment, outcome: "acknowledged" });
      expect([to]).toEqual(model.names(name));
    };
    for (const [number, action] of moves.entries()) {
      if (action.kind === "move") await move(service, action.from, action.to, action.merge);
      model.add(action);
      if (number >= 2) await known(app("two"));
    }
    expect(model.names(app("two"))).toEqual([{ ...app("four"), area: "mall" }]);
    expect(await whereTo(service, [{ ...app("one"), area: "store" }])).toEqual([{ ...app("one"), area: "store" }]);
  });

  test("the old name of an area does not lead past a team that had left it before", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await score(service, app("one"));
    await move(service, team("one"), { area: "mall", team: "two" });
    await score(service, app("other"));
    await move(service, { area: "shop" }, { area: "store" });
    await score(service, { ...app("one"), area: "store" });
    await move(service, { ...app("one"), area: "store" }, { ...app("one"), area: "yard" });
    expect(await whereTo(service, [app("one")])).toEqual([{ area: "mall", team: "two", app: "cart" }]);
  });
});

/** Another instance, which remembers nothing; the embedded database has one only. */
async function useInstanceOf(service: TestService, kind: (typeof engines)[number]): Promise<TestService> {
  return kind === "postgres" ? useService({ databaseUrl: service.databaseUrl }) : service;
}
