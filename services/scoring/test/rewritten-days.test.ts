import type { AppliesRule } from "@maturity/core";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { writeDays } from "../src/history/days.ts";
import { recordedOf } from "../src/policy/recorded.ts";
import { applyPolicy, noPolicy } from "../src/policy/rules.ts";
import { insertPolicy } from "../src/store/policies.ts";
import { missDays } from "./support/days.ts";
import { readPage } from "./support/reading.ts";
import { post, put } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, until, useService } from "./support/service.ts";

const dayMs = 86_400_000;
const checkout = { area: "shop", team: "checkout" };
const cart = { ...checkout, app: "cart" };
const basket = { ...checkout, app: "basket" };

describe.each(engines)("recorded days of which evidence comes in later, on %s", (kind) => {
  async function useDays(unregistered: "accept" | "hold" = "accept") {
    const service = await useService({ databaseUrl: await createDatabase(kind), unregistered });
    const { knex } = service.database;
    await missDays(knex, 20);
    const work = (applies: readonly AppliesRule[] = []) =>
      writeDays({
        ...{
          database: service.database,
          scorecards: shippedEngine.scorecards,
          applies,
          historyDays: 400,
          actor: "test",
        },
        ...{ signal: new AbortController().signal, logger: pino({ level: "silent" }) },
      });
    await work();
    /** Reports a number of critical findings of a noon so many days ago, and returns the score. */
    const report = async (app: object, critical: number, daysAgo: number): Promise<number> => {
      const measured_at = new Date(new Date().setUTCHours(12, 0, 0, 0) - daysAgo * dayMs).toISOString();
      const metric = { env: "prod", scorecard: "security", metric: "sast" };
      const raw = { critical, high: 0, medium: 0, low: 0 };
      const answer = await post(service, "/score", { ...app, ...metric, raw, measured_at });
      expect(answer).toMatchObject({ status: 200 });
      return Number(answer.body.score);
    };
    /** The recorded scores of a name, the oldest first. */
    const days = async (name: object) => {
      const { items } = await readPage<{ score: number }>(service, "/history", { ...name, env: "prod" });
      return items.map(({ score }) => score);
    };
    const marks = async (): Promise<number> =>
      (await knex.raw("SELECT count(*)::int AS count FROM roll_ups_again")).rows[0].count;
    return { service, knex, work, report, days, marks };
  }

  const times = (count: number, score: number) => Array<number>(count).fill(score);

  test("are written by the rules of their time", async () => {
    const { knex, work, report, days } = await useDays();
    await insertPolicy(knex, recordedOf(applyPolicy(shippedEngine.scorecards, noPolicy)));
    await knex.raw("UPDATE policies SET loaded_at = now() - interval '30 days'");
    const first = await report(cart, 0, 9);
    await work();
    expect(await days(cart)).toEqual(times(9, first));
    const later = await report(cart, 9, 5);
    await work([{ scorecard: "security", metric: "sast", unless: { tier: ["1"] } }]);
    expect(await days(cart)).toEqual([...times(4, first), ...times(5, later)]);
    expect(await days(checkout)).toEqual(await days(cart));
  });

  test("of a team that an application has left count it as before", async () => {
    const { service, work, report, days } = await useDays();
    const first = await report(cart, 0, 9);
    const other = await report(basket, 3, 9);
    await work();
    expect(await days(checkout)).toEqual(times(9, (first + other) / 2));
    const to = { ...basket, team: "search" };
    expect(await post(service, "/apps/move", { from: basket, to })).toMatchObject({ status: 200 });
    const later = await report(cart, 9, 5);
    await work();
    const expected = [...times(4, (first + other) / 2), ...times(5, (later + other) / 2)];
    for (const name of [checkout, { area: "shop" }]) {
      const found = await days(name);
      expect(found).toHaveLength(9);
      for (const [index, score] of found.entries()) expect(score).toBeCloseTo(expected[index] as number, 9);
    }
    expect(await days({ area: "shop", team: "search" })).toEqual([]);
  });

  test("of an application that is held are written once it is registered", async () => {
    const { service, work, report, days, marks } = await useDays("hold");
    const score = await report(cart, 0, 9);
    await work();
    expect([await days(cart), await marks()]).toEqual([[], 9]);
    expect(await put(service, "/registry", cart)).toMatchObject({ status: 200 });
    await work();
    expect([await days(cart), await marks()]).toEqual([times(9, score), 0]);
  });

  test.runIf(kind === "postgres")("are written by one instance at a time, while nothing moves", async () => {
    const { knex, work, report, marks } = await useDays();
    await report(cart, 0, 9);
    const other = await knex.transaction();
    await other.raw("SELECT FROM roll_ups_until FOR UPDATE");
    const working = work();
    await until(async () => {
      const { rows } = await knex.raw(`
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM roll_ups_until FOR UPDATE'
      `);
      return rows.length > 0;
    });
    expect(await marks()).toBe(9);
    await other.commit();
    await working;
    expect(await marks()).toBe(0);
  });
});
