import { describe, expect, test } from "vitest";
import { ageScores, missDays, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, enginesInZones, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };
const index = { area: "shop", team: "search", app: "index" };
const mail = { area: "office", team: "post", app: "mail" };
const env = "prod";

describe.each(enginesInZones)("recorded days on %s in %s", (kind, zone) => {
  /** A service with two recorded days of four applications, and one that follows with `record`. */
  async function useDays() {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    const save = (score: number, app: object) =>
      saveScores(knex, [newScore({ ...app, env, scorecard: "security", metric: "dast", score })]);
    const record = async () => {
      await ageScores(knex, 1);
      // In two steps, so that no day meets the one before it.
      for (const by of ["- 1000", "+ 999"]) await knex.raw(`UPDATE roll_up_days SET day = day ${by}`);
      await missDays(knex, 1);
      await writeDays(service.database);
    };
    for (const [place, app] of [cart, basket, index, mail].entries()) await save(10 * (place + 1), app);
    await record();
    for (const [place, app] of [cart, basket, index, mail].entries()) await save(10 * (place + 1) + 1, app);
    await record();
    const move = async (from: object, to: object) =>
      expect(await post(service, "/apps/move", { from, to, merge: true })).toMatchObject({ status: 200 });
    /** The scores of the recorded days under a name, the oldest first. */
    const days = async (name: Readonly<Record<string, string>>) => {
      const { items } = await readPage<{ score: number }>(service, "/history", { ...name, env });
      return items.map(({ score }) => score);
    };
    return { service, save, record, move, days };
  }

  const own = (app: typeof cart) => 10 * ([cart, basket, index, mail].findIndex((one) => one.app === app.app) + 1);
  const both = (app: typeof cart) => [own(app), own(app) + 1];

  test("those of an application move with it, and those of its teams and areas stay", async () => {
    const { move, days, record } = await useDays();
    const [from, to] = [await days({ area: "shop", team: "checkout" }), await days({ area: "shop", team: "search" })];
    const moved = { ...index, app: "cart" };
    await move(cart, moved);
    expect(await days(moved)).toEqual(both(cart));
    expect(await days(cart)).toEqual([]);
    expect(await days({ area: "shop", team: "checkout" })).toEqual(from);
    expect(await days({ area: "shop", team: "search" })).toEqual(to);
    await record();
    expect(await days(moved)).toEqual([...both(cart), 11]);
    expect(await days({ area: "shop", team: "checkout" })).toEqual([...from, 21]);
    expect(await days({ area: "shop", team: "search" })).toEqual([...to, (11 + 31) / 2]);
  });

  test("those of a team and of its applications move with it, and those of the areas stay", async () => {
    const { move, days, record } = await useDays();
    const [team, shop, office] = [
      await days({ area: "shop", team: "checkout" }),
      await days({ area: "shop" }),
      await days({ area: "office" }),
    ];
    await move({ area: "shop", team: "checkout" }, { area: "office", team: "till" });
    expect(await days({ area: "office", team: "till" })).toEqual(team);
    for (const app of [cart, basket]) expect(await days({ ...app, area: "office", team: "till" })).toEqual(both(app));
    expect(await days({ area: "shop", team: "checkout" })).toEqual([]);
    expect(await days({ area: "shop" })).toEqual(shop);
    expect(await days({ area: "office" })).toEqual(office);
    await record();
    expect(await days({ area: "office", team: "till" })).toEqual([...team, 16]);
    expect(await days({ area: "shop" })).toEqual([...shop, 31]);
    expect(await days({ area: "shop", team: "checkout" })).toEqual([]);
  });

  test("those of an area move with all below it", async () => {
    const { move, days, record } = await useDays();
    const shop = await days({ area: "shop" });
    await move({ area: "shop" }, { area: "store" });
    expect(await days({ area: "store" })).toEqual(shop);
    expect(await days({ ...cart, area: "store" })).toEqual(both(cart));
    expect(await days({ area: "store", team: "search" })).toEqual(both(index));
    expect(await days({ area: "shop" })).toEqual([]);
    await record();
    expect(await days({ ...cart, area: "store" })).toEqual([...both(cart), 11]);
    expect(await days({ area: "shop" })).toEqual([]);
  });

  test("of two applications that are merged those of the target stay, and days that it lacks come from the other", async () => {
    const { service, move, days, record } = await useDays();
    await service.database.knex.raw(
      `DELETE FROM roll_up_days USING roll_up_targets_by_name AS named
       WHERE roll_up_days.target_id = named.id AND app = 'basket' AND day = (SELECT min(day) FROM roll_up_days)`,
    );
    await move(cart, basket);
    expect(await days(basket)).toEqual([10, 21]);
    expect(await days(cart)).toEqual([]);
    await record();
    expect(await days(basket)).toEqual([10, 21, 21]);
  });

  test("of two teams that are merged those of the target stay, and each application keeps its own", async () => {
    const { move, days, record } = await useDays();
    const search = await days({ area: "shop", team: "search" });
    await move({ area: "shop", team: "checkout" }, { area: "shop", team: "search" });
    expect(await days({ area: "shop", team: "search" })).toEqual(search);
    expect(await days({ ...cart, team: "search" })).toEqual(both(cart));
    await record();
    expect(await days({ area: "shop", team: "search" })).toEqual([...search, 21]);
  });

  test("a day that is recorded late, after the move, is recorded under the new name alone", async () => {
    const { service, move, days } = await useDays();
    const { knex } = service.database;
    await knex.raw("DELETE FROM roll_up_days WHERE day = (SELECT max(day) FROM roll_up_days)");
    await move(cart, { ...index, app: "cart" });
    await missDays(knex, 1);
    await writeDays(service.database);
    expect(await days({ ...index, app: "cart" })).toEqual(both(cart));
    expect(await days(cart)).toEqual([]);
    expect(await days({ area: "shop", team: "search" })).toEqual([30, 21]);
  });
});
