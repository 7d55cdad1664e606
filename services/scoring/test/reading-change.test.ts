import { rollUp, type ScoreRecord } from "@maturity/core";
import { expect, test } from "vitest";
import type { NewScore } from "../src/store/new-score.ts";
import { ageScores, dueDay, missDays, writeDays } from "./support/days.ts";
import { readPage, someScores } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { shippedEngine, useService } from "./support/service.ts";

interface Item {
  readonly area: string;
  readonly team?: string;
  readonly app?: string;
  readonly env: string;
  readonly score: number;
  readonly change?: number;
}

const before = someScores(14);
const after = before.filter((_, index) => index % 3 === 0).map((one, index) => ({ ...one, score: (index * 37) % 101 }));
const late = someScores(1, 7).map((one) => ({ ...one, area: "late" }));

/** A service in which `before` was reported yesterday, and the rest today. */
async function useTwoDays() {
  const service = await useService();
  const { database } = service;
  await saveScores(database.knex, before);
  await ageScores(database.knex, 1);
  await missDays(database.knex, 1);
  await writeDays(database);
  await saveScores(database.knex, [...after, ...late]);
  return { service, day: await dueDay(database.knex) };
}

const idOf = ({ area, team, app, env }: Item) => JSON.stringify([area, team, app, env]);

test("the change is the score of now less that of the day, of the same applications", async () => {
  const { service, day } = await useTwoDays();
  const time = new Date();
  const rolled = (scores: readonly NewScore[], env: string | undefined) =>
    rollUp(
      shippedEngine.scorecards,
      scores
        .filter((score) => env === undefined || score.env === env)
        .map((one): ScoreRecord => ({ ...one, reported_at: time })),
      time,
    );
  for (const env of [undefined, "prod"]) {
    const [then, now] = [rolled(before, env), rolled([...before, ...after, ...late], env)];
    for (const level of ["apps", "teams", "areas"] as const) {
      const query = { since: day, limit: 1_000, ...(env && { env }) };
      const { items } = await readPage<Item>(service, `/${level}`, query);
      const scores = new Map(then[level].map((item: Item) => [idOf(item), item.score]));
      expect(items).toHaveLength(now[level].length);
      for (const item of items) {
        const former = scores.get(idOf(item));
        if (former === undefined) expect(item).not.toHaveProperty("change");
        else expect(item.change).toBeCloseTo(item.score - former, 9);
      }
      expect(items.some(({ change = 0 }) => change !== 0)).toBe(true);
    }
  }
});

test("sort=change has the greatest loss first, and what is not known last", async () => {
  const { service, day } = await useTwoDays();
  const { items } = await readPage<Item>(service, "/apps", { since: day, sort: "change", limit: 1_000 });
  const changes = items.map(({ change = Number.POSITIVE_INFINITY }) => change);
  expect(changes).toEqual(changes.toSorted((a, b) => (a === b ? 0 : a - b)));
  expect([changes[0], changes.at(-1)]).toEqual([expect.any(Number), Number.POSITIVE_INFINITY]);
});

test("nothing is known of a day that is not recorded", async () => {
  const { service } = await useTwoDays();
  for (const since of ["2020-02-29", ""]) {
    const { items } = await readPage<Item>(service, "/teams", since ? { since } : {});
    expect(items.some((item) => "change" in item)).toBe(false);
  }
  for (const since of ["2025-02-29", "yesterday", "2025-1-1", "2025-01-01T00:00:00Z"]) {
    const { statusCode, payload } = await service.server.inject(`/teams?since=${since}`);
    expect([statusCode, JSON.parse(payload).message]).toEqual([400, "since must be a day such as 2026-01-31"]);
  }
});
