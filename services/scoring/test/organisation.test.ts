import { type AppScore, rollUp, type ScoreRecord, type Waiver } from "@maturity/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oldestReportedAt } from "../src/rollups/metric-scores.ts";
import type { Database } from "../src/store/database.ts";
import { waiverColumns } from "../src/store/waivers.ts";
import { newScore } from "./support/new-score.ts";
import { problem } from "./support/problem-report.ts";
import { organisationOf } from "./support/read-organisation.ts";
import { someScores } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, startService, type TestService } from "./support/service.ts";
import { storeProblem, storeWaiver } from "./support/store.ts";

const scores = someScores(30);
const { scorecards } = shippedEngine;

const byName = (apps: readonly AppScore[]) =>
  apps
    .map(({ area, team, app, env, score, reported, fresh, waived, scorecards }) => ({
      ...{ area, team, app, env, score, reported, fresh, waived, scorecards },
    }))
    .sort((a, b) => (JSON.stringify(Object.values(a)) < JSON.stringify(Object.values(b)) ? -1 : 1));

describe.each(engines)("the reading of all scores on %s", (kind) => {
  let service: TestService;
  let database: Database;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    ({ database } = service);
  });
  afterAll(() => service.stop());

  test("is the roll-up of core, whatever is written, moved, retired or waived in between", async () => {
    const { knex } = database;
    const some = (kind: number, step: number) => scores.filter((_, index) => (index * 7 + step) % kind === 0);
    const now = "date_trunc('milliseconds', clock_timestamp())";
    const waiveSome = (step: number, depth: number) => {
      const target = Object.entries(scores[(step * 31) % scores.length] ?? {}).slice(0, depth);
      const what = step % 2 ? { scorecard: "security" } : { scorecard: "application", metric: "health_check" };
      const waiver = { kind: "not_applicable", area: "", reason: "none", owner: "ann" } as const;
      return storeWaiver(knex, { ...waiver, ...Object.fromEntries(target), ...what }, "test");
    };
    const remove = `DELETE FROM scores
      WHERE (target_id, metric_id) IN (SELECT target_id, metric_id FROM scores ORDER BY target_id, metric_id LIMIT 1)`;
    const last = "(SELECT max(application_id) FROM scores_by_name)";
    const steps: ((step: number) => Promise<unknown>)[] = [
      (step) => saveScores(knex, some(5, step)),
      (step) =>
        saveScores(
          knex,
          some(9, step).map((score) => ({ ...score, score: (step * 13) % 101 })),
        ),
      () => knex.raw(remove),
      (step) => knex.raw(`UPDATE applications SET area = '${step}/' || area WHERE id = ${last}`),
      () => knex.raw(`UPDATE applications SET retired_at = now(), retired_because = 'gone' WHERE id = ${last}`),
      () => knex.raw("UPDATE applications SET retired_at = NULL, retired_because = NULL"),
      () =>
        knex.raw(
          "UPDATE scores SET reported_at = reported_at - interval '9 days' WHERE (target_id + metric_id) % 3 = 0",
        ),
      (step) => saveScores(knex, [newScore({ scorecard: "gone", app: `${step}` }), newScore({ metric: "gone" })]),
      (step) => storeProblem(knex, { ...problem, ...scores[step % scores.length], problem_type: `${step}` }),
      (step) => waiveSome(step, 1),
      (step) => waiveSome(step, 4),
      () => knex.raw(`UPDATE waivers SET expires_at = ${now} WHERE id = (SELECT min(id::text)::uuid FROM waivers)`),
      () =>
        knex.raw(
          `UPDATE waivers SET revoked_at = ${now}, revoked_by = 'a' WHERE id = (SELECT max(id::text)::uuid FROM waivers)`,
        ),
    ];
    await saveScores(knex, some(2, 0));
    for (let step = 0; step < 60; step++) {
      await steps[(step * step + (step >> 3)) % steps.length]?.(step);
      const { apps, asOf } = await organisationOf(database, shippedEngine);
      const { rows: stored }: { rows: ScoreRecord[] } = await knex.raw(
        "SELECT area, team, app, env, scorecard, metric, score::float8 AS score, date_trunc('milliseconds', reported_at) AS reported_at FROM scores_by_name",
      );
      const { rows: waivers }: { rows: Waiver[] } = await knex.raw(`SELECT ${waiverColumns} FROM waivers_by_name`);
      const expected = rollUp(scorecards, stored, asOf, waivers).apps;
      expect(byName(apps), `step ${step}`).toEqual(byName(expected));
      expect(apps.length).toBeGreaterThan(10);
    }
  });

  test("shows when its oldest result was reported, and has no application that is retired", async () => {
    const { knex } = database;
    await saveScores(knex, [newScore({ app: "said" }), newScore({ app: "said", metric: "dast" })]);
    await knex.raw(
      "UPDATE scores SET reported_at = '2026-01-31T12:00:00Z' WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE app = 'said') AND metric_id = (SELECT id FROM metrics WHERE metric = 'dast')",
    );
    const read = async () => (await organisationOf(database, shippedEngine)).apps.find(({ app }) => app === "said");
    const said = await read();
    expect(oldestReportedAt(said?.metricScores ?? [])).toEqual(new Date("2026-01-31T12:00:00Z"));
    await knex.raw("UPDATE applications SET retired_at = now(), retired_because = '' WHERE app = 'said'");
    expect(await read()).toBe(undefined);
  });
});
