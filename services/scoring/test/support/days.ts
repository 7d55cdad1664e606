import { setTimeout as wait } from "node:timers/promises";
import type { Knex } from "knex";
import { beforeAll, beforeEach } from "vitest";
import { type TargetRollUp, type WrittenDay, writeNextDay } from "../../src/history/day.ts";
import type { Database } from "../../src/store/database.ts";
import { shippedEngine } from "./service.ts";

/** From when on a test may begin on a day, and until when, in milliseconds since midnight in UTC. */
const [firstMs, lastMs] = [61_000, 86_280_000];

/**
 * Tests of days do not begin around a midnight in UTC: until a minute after it, the last day that is due is not the one
 * before today, and what a test wrote before it is a day older after it.
 */
async function awayFromMidnight(): Promise<void> {
  const ofDay = () => Date.now() % 86_400_000;
  while (ofDay() < firstMs || ofDay() > lastMs) await wait(500);
}

beforeAll(awayFromMidnight, 300_000);
beforeEach(awayFromMidnight, 300_000);

/** A stored roll-up. */
export interface StoredRollUp extends Omit<TargetRollUp, "fresh" | "waived"> {
  readonly fresh: number | null;
}

/** Moves everything that was reported into the past, so that what is reported next comes so many days later. */
export async function ageScores(knex: Knex, days: number): Promise<void> {
  const by = `- interval '${days} days'`;
  await knex.raw(`UPDATE scores SET reported_at = reported_at ${by}, changed_at = changed_at ${by}`);
  await knex.raw(`UPDATE score_changes SET at = at ${by}`);
}

/** Lets so many days be due. */
export async function missDays(knex: Knex, days: number): Promise<void> {
  await knex.raw(`UPDATE roll_ups_until SET day = (${lastDue}) - ?::int`, [days]);
}

/** SQL of the last day that is due. */
const lastDue = "((clock_timestamp() - interval '1 minute') AT TIME ZONE 'UTC')::date";

/** The day so many days before the last one that is due, by the database's clock. */
export async function dueDay(knex: Knex, daysBefore = 0): Promise<string> {
  return (await knex.raw(`SELECT (${lastDue} - ?::int)::text AS day`, [daysBefore])).rows[0].day;
}

/** Writes all days that are due. */
export async function writeDays(
  database: Database,
  options: Partial<Parameters<typeof writeNextDay>[1]> = {},
): Promise<WrittenDay[]> {
  const all: WrittenDay[] = [];
  for (;;) {
    const { signal } = new AbortController();
    const { scorecards } = shippedEngine;
    const written = await writeNextDay(database, { scorecards, historyDays: 400, signal, ...options });
    if (!written) return all;
    all.push(written);
  }
}

/** The stored roll-ups of a day, in the order of names. */
export async function rollUpsOf(knex: Knex, day: string): Promise<StoredRollUp[]> {
  const { rows } = await knex.raw(
    `
    SELECT area, team, app, env, count, score, reported, fresh, lowest
    FROM roll_up_days JOIN roll_up_targets_by_name AS target ON target.id = roll_up_days.target_id
    WHERE day = ?::date
    ORDER BY area, team, app, env
    `,
    [day],
  );
  return rows;
}

/** The days of which something is stored. */
export async function storedDays(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw("SELECT DISTINCT day::text FROM roll_up_days ORDER BY day");
  return rows.map(({ day }: { day: string }) => day);
}
