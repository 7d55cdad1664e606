import { describe, expect, test } from "vitest";
import type { AppChange } from "../src/history/changes.ts";
import { ageScores, dueDay, missDays, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, enginesInZones, useService } from "./support/service.ts";

const cart = { area: "shop", team: "checkout", app: "cart" };
const basket = { ...cart, app: "basket" };

const zero = { report: 0, rules: 0, waiver: 0, policy: 0, move: 0, other: 0 };

describe.each(enginesInZones)("changes by moves on %s in %s", (kind, zone) => {
  /** A service with a recorded day, of which basket had one metric, and cart this one and another one. */
  async function useDay() {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    const save = (app: object, metric: string, score: number) =>
      saveScores(knex, [newScore({ ...app, scorecard: "security", metric, score })]);
    await save(basket, "dast", 40);
    await save(cart, "dast", 80);
    await save(cart, "sast", 100);
    await save({ ...cart, app: "other" }, "dast", 50);
    await ageScores(knex, 1);
    await missDays(knex, 1);
    await writeDays(service.database);
    const since = await dueDay(knex);
    /** Roll-ups are kept for some seconds, so each service is asked once. */
    const changeOf = async (app: string) => {
      const { items } = await readPage<AppChange>(service, "/changes", { since, sort: "name" });
      const { change, score_since, causes } = items.find((item) => item.app === app) as AppChange;
      return { change, score_since, ...causes };
    };
    const move = async (from: object, to: object) =>
      expect(await post(service, "/apps/move", { from, to, merge: true })).toMatchObject({ status: 200 });
    return { save, move, changeOf };
  }

  test("metrics that a merge brings count as a move, and what is reported of them later as a report", async () => {
    const [one, other] = [await useDay(), await useDay()];
    await one.move(cart, basket);
    const merged = await one.changeOf("basket");
    expect(merged).toEqual({ ...zero, score_since: 40, change: merged.change, move: merged.change });
    expect(merged.change).toBeGreaterThan(0);
    await other.move(cart, basket);
    await other.save(basket, "sast", 0);
    const reported = await other.changeOf("basket");
    expect(reported.move).toBeCloseTo(Number(merged.change), 8);
    expect(reported.report).toBeCloseTo(Number(reported.change) - Number(merged.change), 8);
    expect(reported.report).toBeLessThan(0);
  });

  test.each([
    ["an application", cart, { ...cart, app: "renamed" }, "renamed"],
    ["a team", { area: "shop", team: "checkout" }, { area: "shop", team: "till" }, "cart"],
    ["an area", { area: "shop" }, { area: "store" }, "cart"],
  ])("a new name of %s is no change, and reports after it stay reports", async (_, from, to, named) => {
    const { save, move, changeOf } = await useDay();
    await move(from, to);
    await save({ ...cart, ...to, app: named }, "dast", 10);
    const reported = await changeOf(named);
    expect(reported).toMatchObject({ ...zero, report: reported.change });
    expect(reported.change).toBeLessThan(0);
  });

  test("an application that nothing was moved to has no change by moves", async () => {
    const { save, move, changeOf } = await useDay();
    await move(cart, basket);
    await save({ ...cart, app: "other" }, "dast", 10);
    const reported = await changeOf("other");
    expect(reported).toMatchObject({ ...zero, change: -40, report: -40 });
  });
});
