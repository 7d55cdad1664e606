import { randomUUID } from "node:crypto";
import { type AppScore, rollUp, type ScoreRecord, type Waiver } from "@maturity/core";
import { describe, expect, test } from "vitest";
import type { AppChange } from "../src/history/changes.ts";
import { idBy } from "../src/rollups/groups.ts";
import { ageScores, dueDay, missDays, writeDays } from "./support/days.ts";
import { insertRows, randomWaivers } from "./support/random-waivers.ts";
import { readPage, someScores } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, enginesInZones, shippedEngine, useService } from "./support/service.ts";

const { scorecards } = shippedEngine;
const idOf = idBy(["area", "team", "app", "env"]);
const long = new Date(0);

/** The roll-ups of applications at a time. */
function appsAt(scores: readonly ScoreRecord[], at: Date, waivers: readonly Waiver[]): Map<string, AppScore> {
  return new Map(rollUp(scorecards, scores, at, waivers).apps.map((app) => [idOf(app), app]));
}

describe.each(enginesInZones)("waivers of the past on %s in %s", (kind, zone) => {
  test("are those by which a day is recorded late, and what differs now is their cause, exactly", async () => {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    const first = someScores(20).map((score) => ({ ...score, reported_at: long }));
    await saveScores(knex, first);
    await ageScores(knex, 4);
    const waivers = randomWaivers(7, first, scorecards);
    await knex.raw(insertRows.replace("$1", "?"), [JSON.stringify(waivers)]);
    // Some are reported again, now.
    const again = first
      .filter((_, index) => index % 3 === 0)
      .map((one) => ({ ...one, score: 100 - one.score, raw: { again: 1 } }));
    await saveScores(knex, again);
    const last = [...first, ...again];

    for (const isRecorded of [false, true]) {
      if (isRecorded) {
        await missDays(knex, 3);
        expect(await writeDays(service.database)).toHaveLength(3);
      }
      const copy =
        isRecorded && kind === "postgres" ? await useService({ zone, databaseUrl: service.databaseUrl }) : service;
      const since = await dueDay(knex, 2);
      const then = appsAt(first, new Date(`${since}T00:00:00Z`), waivers);
      const { as_of, items } = await readPage<AppChange>(copy, "/changes", { since, limit: 1_000 });
      const now = appsAt(last, new Date(as_of), waivers);
      const moved = appsAt(first, new Date(as_of), waivers);
      expect(items.map(idOf).sort()).toEqual([...now.keys()].sort());
      for (const item of items) {
        const [before, by] = [then.get(idOf(item))?.score, moved.get(idOf(item))?.score];
        expect(item.score).toBeCloseTo(now.get(idOf(item))?.score ?? Number.NaN, 9);
        if (before === undefined) {
          expect(item.causes).toBe(null);
          continue;
        }
        expect(item.score_since).toBeCloseTo(before, 9);
        const { report = 0, rules = 0, waiver = 0, move = 0 } = item.causes ?? {};
        expect(waiver).toBeCloseTo(by === undefined ? 0 : by - before, 8);
        expect([rules, move]).toEqual([0, 0]);
        expect(report + waiver).toBeCloseTo(item.score - before, 8);
      }
      expect(items.some(({ causes }) => causes && causes.waiver !== 0 && causes.report !== 0)).toBe(true);
      if (!isRecorded) continue;
      const { rows } = await knex.raw(
        `SELECT area, team, app, env, score, reported, waived FROM roll_up_days JOIN roll_up_targets_by_name AS target ON target.id = roll_up_days.target_id
         WHERE day = ?::date AND app IS NOT NULL`,
        [since],
      );
      expect(rows.map(idOf).sort()).toEqual([...then.keys()].sort());
      for (const { score, reported, waived, ...row } of rows) {
        const expected = then.get(idOf(row));
        expect([score, reported, waived]).toEqual(
          [expected?.score, expected?.reported, expected?.waived].map((one = Number.NaN) => expect.closeTo(one, 9)),
        );
      }
    }
  });

  test("are compared with any day, however long ago it is", async () => {
    const service = await useService({ zone, databaseUrl: await createDatabase(kind) });
    const scores = someScores(5).map((score) => ({ ...score, reported_at: long }));
    await saveScores(service.database.knex, scores);
    const waivers = randomWaivers(3, scores, scorecards);
    await service.database.knex.raw(insertRows.replace("$1", "?"), [JSON.stringify(waivers)]);
    for (const since of ["1000-01-01", "2001-01-31"]) {
      const { items } = await readPage<AppChange>(service, "/changes", { since, limit: 1_000 });
      expect(items.length).toBeGreaterThan(0);
      expect(items.map(({ change }) => change)).toEqual(items.map(() => null));
    }
  });
});

test("a day shows the share that was waived at its first moment, of an application, its team and its area", async () => {
  const service = await useService();
  const { knex } = service.database;
  const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
  const records = ["secret_scan", "dast"].map((metric) => ({ ...cart, scorecard: "security", metric }));
  await saveScores(
    knex,
    records.map((one) => ({ ...one, score: 50, raw: {}, scorer: "test@1.0.0" })),
  );
  await ageScores(knex, 4);
  const waiver = { ...cart, scorecard: "security", metric: "dast" };
  const row = { ...waiver, kind: "not_applicable", reason: "none", owner: "ann", created_by: "office" };
  const [from, until] = [
    new Date(`${await dueDay(knex, 2)}T00:00:00Z`),
    new Date(`${await dueDay(knex, 1)}T00:00:00Z`),
  ];
  const made = { id: randomUUID(), ...row, created_at: from, expires_at: until };
  await knex.raw(insertRows.replace("$1", "?"), [JSON.stringify([made])]);
  await missDays(knex, 3);
  await writeDays(service.database);
  const [app] = rollUp(
    scorecards,
    records.map((one) => ({ ...one, score: 50, reported_at: from })),
    from,
    [{ ...waiver, created_at: from }],
  ).apps;
  expect(app?.waived).toBeGreaterThan(0);
  const { app: _, ...team } = cart;
  const { team: __, ...area } = team;
  for (const target of [cart, team, area]) {
    const { items } = await readPage<{ waived: number }>(service, "/history", target);
    expect(items.map(({ waived }) => waived)).toEqual([app?.waived, 0, 0]);
  }
});
