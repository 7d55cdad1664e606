import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKnownScores } from "../src/rollups/known-scores.ts";
import { type App, createOrganisationReader } from "../src/rollups/organisation.ts";
import type { Database } from "../src/store/database.ts";
import { readSnapshot } from "../src/store/lines.ts";
import { revokeWaiver } from "../src/store/waivers.ts";
import { newScore } from "./support/new-score.ts";
import { problem } from "./support/problem-report.ts";
import { someScores } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, startService, type TestService, until } from "./support/service.ts";
import { storeProblem, storeWaiver } from "./support/store.ts";

const scores = someScores(30);

/** What a reading found, in the order of names. A repository may be that of any report. */
async function appsOf(read: () => Promise<{ readonly apps: readonly App[] }>): Promise<object[]> {
  const { apps } = await read();
  return apps.map(({ repo: _, ...app }) => app).sort((a, b) => (a.id < b.id ? -1 : 1));
}

describe.each(engines)("the kept reading of all scores on %s", (kind) => {
  let service: TestService;
  let database: Database;
  beforeAll(async () => {
    service = await startService({ databaseUrl: await createDatabase(kind) });
    ({ database } = service);
  });
  afterAll(() => service.stop());

  test("is that of somebody who reads for the first time, whatever is written in between", async () => {
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
      async () => {},
      () => knex.raw(remove),
      async (step) => {
        await knex.raw(remove);
        await saveScores(knex, [newScore({ app: `instead of one that is gone ${step}` })]);
      },
      (step) => knex.raw(`UPDATE applications SET area = '${step}/' || area WHERE id = ${last}`),
      () => knex.raw(`UPDATE applications SET retired_at = now(), retired_because = 'gone' WHERE id = ${last}`),
      () => knex.raw("UPDATE applications SET retired_at = NULL, retired_because = NULL"),
      () =>
        knex.raw(
          "UPDATE scores SET reported_at = reported_at - interval '9 days' WHERE (target_id + metric_id) % 3 = 0",
        ),
      (step) => saveScores(knex, [newScore({ scorecard: "gone", app: `${step}` }), newScore({ metric: "gone" })]),
      (step) => storeProblem(knex, { ...problem, ...scores[step % scores.length], problem_type: `${step}` }),
      (step) => storeProblem(knex, { ...problem, ...scores[(step - 1) % scores.length], count: 0, details: [] }),
      (step) => waiveSome(step, 1),
      (step) => waiveSome(step, 4),
      () => knex.raw(`UPDATE waivers SET expires_at = ${now} WHERE id = (SELECT min(id::text)::uuid FROM waivers)`),
      () =>
        knex.raw(
          `UPDATE waivers SET revoked_at = ${now}, revoked_by = 'a' WHERE id = (SELECT max(id::text)::uuid FROM waivers)`,
        ),
    ];
    const kept = createOrganisationReader(database, shippedEngine);
    await saveScores(knex, some(2, 0));
    for (let step = 0; step < 60; step++) {
      await steps[(step * step + (step >> 3)) % steps.length]?.(step);
      const found = await appsOf(kept);
      expect(found, `step ${step}`).toEqual(await appsOf(createOrganisationReader(database, shippedEngine)));
      expect(found.length).toBeGreaterThan(10);
    }
  });

  test("takes only rows that are new, and every row again after one is gone or a reading failed", async () => {
    const { knex } = database;
    const known = createKnownScores(shippedEngine);
    const changed = async () => {
      const reading = await readSnapshot(database, database.reads, known.read);
      return { count: reading.changed.size, all: [...reading.apps].length };
    };
    // Another test may hold a transaction open; what was written after its beginning is read again until it ends.
    const nothingIsNew = () => until(async () => (await changed()).count === 0);
    const first = await changed();
    expect(first.count).toBe(first.all);
    await nothingIsNew();
    await saveScores(knex, [
      newScore({ app: "one" }),
      newScore({ app: "one", metric: "dast" }),
      newScore({ app: "two" }),
    ]);
    expect(await changed()).toEqual({ count: 2, all: first.all + 2 });
    await knex.raw("DELETE FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE app = 'two')");
    expect(await changed()).toEqual({ count: first.all + 1, all: first.all + 1 });
    await nothingIsNew();
    const broken = readSnapshot(database, database.reads, (lines) =>
      known.read((select) => {
        if (select.includes("FROM scores")) throw new Error("broken off");
        return lines(select);
      }),
    );
    await expect(broken).rejects.toMatchObject({ code: "store-unavailable" });
    expect(await changed()).toEqual({ count: first.all + 1, all: first.all + 1 });
  });

  test("knows what is renamed and leaves out what is retired, without reading its scores again", async () => {
    const { knex } = database;
    const known = createKnownScores(shippedEngine);
    const read = async () => {
      let rows = 0;
      const { apps } = await readSnapshot(database, database.reads, (lines) =>
        known.read(async function* (select) {
          for await (const piece of lines(select)) {
            if (select.includes("FROM scores")) rows += String(piece).split("\n").length - 1;
            yield piece;
          }
        }),
      );
      const names = [...apps].map(({ app }) => app).filter((app) => app.startsWith("renamed"));
      return { names, rows };
    };
    await saveScores(knex, [newScore({ app: "renamed" })]);
    // Another test may hold a transaction open; what was written after its beginning is read again until it ends.
    await until(async () => (await read()).rows === 1);
    const countOnly = 1;
    const isOf = (app: string) => `WHERE app = '${app}'`;
    await knex.raw(`UPDATE applications SET app = 'renamed twice' ${isOf("renamed")}`);
    expect(await read()).toEqual({ names: ["renamed twice"], rows: countOnly });
    await knex.raw(`UPDATE applications SET retired_at = now(), retired_because = '' ${isOf("renamed twice")}`);
    expect(await read()).toEqual({ names: [], rows: countOnly });
    await knex.raw(`UPDATE applications SET retired_at = NULL, retired_because = NULL ${isOf("renamed twice")}`);
    expect(await read()).toEqual({ names: ["renamed twice"], rows: countOnly });
  });

  test("has what was reported before a reading that failed after it had taken the scores", async () => {
    const { knex } = database;
    const read = createOrganisationReader(database, shippedEngine);
    const scoreOf = async () => (await read()).apps.find(({ app }) => app === "taken")?.score;
    await saveScores(knex, [newScore({ app: "taken", score: 10 })]);
    expect(await scoreOf()).toBe(10);
    await saveScores(knex, [newScore({ app: "taken", score: 20 })]);
    await knex.raw("ALTER VIEW waivers_by_name RENAME TO hidden");
    await expect(read()).rejects.toThrow();
    await knex.raw("ALTER VIEW hidden RENAME TO waivers_by_name");
    expect(await scoreOf()).toBe(20);
  });

  test("rolls up exactly the applications whose waivers begin, end or are revoked", async () => {
    const { knex } = database;
    const kept = createOrganisationReader(database, shippedEngine);
    let before: ReadonlySet<App> = new Set();
    const rolledAnew = async () => {
      const { apps } = await kept();
      const anew = apps.filter((app) => !before.has(app)).map(({ app }) => app);
      before = new Set(apps);
      return anew.sort();
    };
    const both = ["waived 1", "waived 2"];
    await saveScores(
      knex,
      both.flatMap((app) => [newScore({ app }), newScore({ app, scorecard: "reliability", metric: "sla" })]),
    );
    await rolledAnew();
    await until(async () => (await rolledAnew()).length === 0);
    const { area, team } = newScore({});
    const waiver = {
      kind: "not_applicable",
      area,
      team,
      scorecard: "reliability",
      reason: "none",
      owner: "a",
    } as const;
    const made = await storeWaiver(knex, { ...waiver, app: "waived 1" }, "test");
    expect(await rolledAnew()).toEqual(["waived 1"]);
    const ofTeam = await storeWaiver(knex, waiver, "test");
    expect(await rolledAnew()).toEqual(expect.arrayContaining(both));
    expect(await rolledAnew()).toEqual([]);
    if (typeof made === "string" || typeof ofTeam === "string") throw new Error("it is not stored");
    await knex.raw("UPDATE waivers SET expires_at = created_at WHERE id = ?::uuid", [made.id]);
    expect(await rolledAnew()).toEqual(["waived 1"]);
    await revokeWaiver(knex, ofTeam.id, "test");
    expect(await rolledAnew()).toEqual(expect.arrayContaining(both));
    expect(await rolledAnew()).toEqual([]);
  });

  test("makes a score stale by the clock alone", async () => {
    await saveScores(database.knex, [newScore({ app: "old" })]);
    await database.knex.raw(
      "UPDATE scores SET reported_at = clock_timestamp() - interval '336 hours' + interval '2 seconds' WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE app = 'old')",
    );
    const kept = createOrganisationReader(database, shippedEngine);
    await kept();
    await until(async () => (await kept()).apps.find(({ app }) => app === "old")?.freshCoverage === 0);
  });
});

test("a row is found whose transaction began before a reading and ended after it", async () => {
  const service = await startService();
  const { database } = service;
  const kept = createOrganisationReader(database, shippedEngine);
  const found = async () => Object.fromEntries((await kept()).apps.map(({ app, score }) => [app, score]));
  await saveScores(database.knex, [newScore({ app: "a" })]);
  expect(await found()).toEqual({ a: 1 });
  const slow = await database.background.transaction();
  await slow.raw("SELECT pg_current_xact_id()");
  await saveScores(database.knex, [newScore({ app: "b" })]);
  expect(await found()).toEqual({ a: 1, b: 1 });
  await slow.raw(
    "UPDATE scores SET score = 7 WHERE target_id = (SELECT target_id FROM scores_by_name WHERE app = 'a')",
  );
  expect(await found()).toEqual({ a: 1, b: 1 });
  await saveScores(database.knex, [newScore({ app: "d" })]);
  await slow.commit();
  expect(await found()).toEqual({ a: 7, b: 1, d: 1 });
  await service.stop();
});
