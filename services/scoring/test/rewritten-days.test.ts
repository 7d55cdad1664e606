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

  test.each([
    ["by the rules of their time", "30 days"],
    ["before the first recorded rules by these", "1 minute"],
  ])("are written %s", async (_, age) => {
    const { knex, work, report, days } = await useDays();
    const applies: AppliesRule[] = [{ scorecard: "security", metric: "sast", unless: { env: ["prod"] } }];
    await insertPolicy(knex, recordedOf(applyPolicy(shippedEngine.scorecards, noPolicy)));
    await knex.raw(`UPDATE policies SET loaded_at = now() - interval '${age}'`);
    await insertPolicy(knex, recordedOf({ ...applyPolicy(shippedEngine.scorecards, noPolicy), applies }));
    const first = await report(cart, 0, 9);
    await work(applies);
    expect(await days(cart)).toEqual(times(9, first));
    const later = await report(cart, 9, 5);
    await work(applies);
    expect(await days(cart)).toEqual([...times(4, first), ...times(5, later)]);
    expect(await days(checkout)).toEqual(await days(cart));
  });

  test.each([
    ["left", { ...basket, team: "search" }],
    ["come to", { ...basket, team: "checkout" }],
  ])("stay as they are of a team that an application has %s", async (_, to) => {
    const { service, work, report, days } = await useDays();
    const from = { ...basket, team: to.team === "search" ? "checkout" : "search" };
    const first = await report(cart, 0, 9);
    const other = await report(from, 3, 9);
    await work();
    const [team, area] = [await days(checkout), await days({ area: "shop" })];
    expect(team).toEqual(times(9, from.team === "checkout" ? (first + other) / 2 : first));
    expect(await post(service, "/apps/move", { from, to })).toMatchObject({ status: 200 });
    const later = await report(to, 9, 5);
    expect(later).not.toBe(other);
    await work();
    expect(await days(to)).toEqual([...times(4, other), ...times(5, later)]);
    expect([await days(checkout), await days({ area: "shop" })]).toEqual([team, area]);
  });

  test("stay as they are of a team in which another application has taken the place of one", async () => {
    const { service, work, report, days } = await useDays();
    const newcomer = { ...basket, team: "search" };
    await report(cart, 0, 9);
    await report(newcomer, 3, 9);
    await work();
    const before = await days(checkout);
    expect(await post(service, "/apps/move", { from: cart, to: { ...cart, team: "payments" } })).toMatchObject({
      status: 200,
    });
    expect(await post(service, "/apps/move", { from: newcomer, to: basket })).toMatchObject({ status: 200 });
    await report(basket, 9, 5);
    await work();
    expect(await days(checkout)).toEqual(before);
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

  test("of an application that was merged before are written once it is", async () => {
    const { service, work, report, days, marks } = await useDays("hold");
    const score = await report(cart, 0, 9);
    await put(service, "/registry", basket);
    await work();
    expect([await days(basket), await marks()]).toEqual([[], 9]);
    const merge = { from: cart, to: basket, merge: true };
    await report(basket, 0, 1);
    await work();
    expect(await post(service, "/apps/move", merge)).toMatchObject({ status: 200 });
    await work();
    expect([await days(basket), await marks()]).toEqual([times(9, score), 0]);
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
