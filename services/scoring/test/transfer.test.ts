import { Readable, Writable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { unstorable } from "@maturity/core/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordCampaigns } from "../src/campaigns/record-progress.ts";
import type { Database } from "../src/store/database.ts";
import { createRollUpTargets, namedTargets, type RollUpTarget } from "../src/store/roll-up-days.ts";
import { query } from "../src/store/sql.ts";
import { exportRows } from "../src/transfer/export.ts";
import { campaign } from "./support/campaigns.ts";
import { historyFaults } from "./support/changes.ts";
import { dueDay } from "./support/days.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { hiddenNames, hostileNames } from "./support/hostile-names.ts";
import { report } from "./support/problem-report.ts";
import { post, put } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { shippedEngine, type TestService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { storeProblem } from "./support/store.ts";
import { importRows, problem, score, useServiceOn } from "./support/transfer.ts";
import { inDays, revoke, waive } from "./support/waivers.ts";

/** All that is stored and moves, times with their microseconds; ids are of a database alone. */
async function contents({ database }: { database: Database }): Promise<object> {
  const found: Record<string, object[]> = {};
  const ofTarget = `JOIN (
    SELECT targets.id AS target, area, team, app, env, targets.labels AS target_labels, targets.retired_because AS env_gone,
      applications.retired_because AS app_gone
    FROM targets JOIN applications ON applications.id = application_id
  ) AS named ON target = target_id`;
  const ofMetric =
    "JOIN (SELECT id AS metric, scorecard, metric AS name, labels FROM metrics) AS metrics ON metric = metric_id";
  const sources = {
    scores: `scores ${ofTarget} ${ofMetric}`,
    problems: `problems ${ofTarget}`,
    score_changes: `score_changes ${ofTarget} ${ofMetric}`,
    score_confirmations: `score_confirmations ${ofTarget} ${ofMetric}`,
    days: "roll_up_days JOIN (SELECT id AS target, area, team, app, env FROM roll_up_targets_by_name) AS named ON target = target_id",
    again: `roll_ups_again ${ofTarget}`,
    waivers: "waivers_by_name",
    applications: "applications",
    names:
      "names JOIN (SELECT id, area AS to_area, team AS to_team, app AS to_app FROM applications) AS named ON id = application_id",
    former_groups: "former_groups",
    campaigns: "campaigns",
    campaign_members: `campaign_members ${ofTarget}`,
    campaign_days: "campaign_days",
  };
  for (const [name, source] of Object.entries(sources)) {
    const { rows } = await database.knex.raw(`SELECT to_jsonb(one) AS row FROM (SELECT * FROM ${source}) AS one`);
    const left = [
      "id",
      "target",
      "target_id",
      "metric",
      "metric_id",
      "application_id",
      ...(name === "names" ? ["since"] : []),
    ];
    found[name] = rows
      .map(({ row }: { row: object }) => JSON.stringify(row, (key, value) => (left.includes(key) ? undefined : value)))
      .sort();
  }
  return found;
}

/** Registers an application under a name, and decides about two more beside it: one moves, and one is retired. */
async function decide(service: TestService, name: string): Promise<void> {
  const app = (app: string) => ({ area: name, team: name, app });
  const label = `${[...name].slice(0, 100).join("").replaceAll("\\", "/")}.`;
  const facts = { owner: name, repo: name, tier: name, labels: { [label]: name } };
  for (const one of [name, "former", "gone"]) {
    expect(await put(service, "/registry", { ...app(one), ...facts })).toMatchObject({ status: 200 });
  }
  expect(await post(service, "/apps/move", { from: app("former"), to: app("now") })).toMatchObject({ status: 200 });
  const result = { scorecard: "security", metric: "dast", raw: { high: 0, medium: 1 } };
  expect(await post(service, "/score", { ...app("gone"), env: name, ...result })).toMatchObject({ status: 200 });
  const found = { ...app("gone"), env: name, problem_type: name, count: 1, details: [] };
  expect(await report(service, found)).toMatchObject({ status: 200 });
  expect(await post(service, "/apps/retire", { ...app("gone"), reason: name })).toMatchObject({ status: 200 });
}

/** Records a roll-up. */
async function insertDay({ database: { knex } }: TestService, target: RollUpTarget, day: object): Promise<void> {
  await createRollUpTargets(knex, [target]);
  const [named] = await query(knex)`SELECT id FROM ${namedTargets([target])} AS named`;
  await knex("roll_up_days").insert({ target_id: named.id, ...day });
}

/** The bytes of a file, cut where no line and no character ends. */
async function exported(database: Database): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk);
      setImmediate(done);
    },
  });
  await runOn(database, ["export"], { stdout: output });
  const file = Buffer.concat(chunks);
  return Array.from({ length: Math.ceil(file.length / 7) }, (_, index) => file.subarray(index * 7, index * 7 + 7));
}

test("everything moves from the embedded database to PostgreSQL and back, and is the same", async () => {
  const trial = await useServiceOn("pglite");
  for (const [index, name] of hostileNames.entries()) {
    const names = { area: name, team: name, app: name, env: name };
    const raw = {
      high: 0,
      medium: index,
      scanner: { [`${name.replaceAll("\\", "/")}.`]: [name, null, 1e308, 5e-324, 0.1] },
    };
    const more = { scorecard: "security", metric: "dast", raw, pipeline_id: name, project_repo: name };
    expect(await post(trial, "/score", { ...names, ...more })).toMatchObject({ status: 200 });
    const details = index % 3 === 0 ? [] : [{ file: name, line: 0, description: `${name}\n\u0001\u2028` }];
    const problem = { ...names, problem_type: name, count: index % 3, details, chat_channel: name };
    expect(await report(trial, problem)).toMatchObject({ status: 200 });
  }
  for (const name of hostileNames) await decide(trial, name);
  // No day lies between the file and the import.
  const newest = await dueDay(trial.database.knex);
  for (const [index, name] of hostileNames.entries()) {
    const key = { area: name, team: name, app: name, env: name, scorecard: "security", metric: "dast" };
    const changed = { ...key, score: index, raw: {}, scorer: "test@2.0.0" };
    await saveScores(trial.database.knex, [changed]);
    const rolled = { score: index / 7, reported: 1 / 3, ...(index % 2 === 0 && { fresh: 0.1 }) };
    const average = { count: index + 1, lowest: 0.1, waived: 0.2 };
    const waived = { area: name, team: name, app: name, reason: name, owner: name };
    const { id } = await waive(trial, { ...waived, scorecard: "security", metric: "dast", expires_at: inDays(9) });
    const asked = await waive(trial, {
      ...waived,
      env: name,
      problem_type: name,
      state: index % 2 ? "requested" : "approved",
    });
    if (index % 4 === 1) await post(trial, `/waivers/${asked.id}/withdraw`, { comment: name });
    if (index % 2) await revoke(trial, id);
    await insertDay(trial, { area: name, team: name, app: name, env: name }, { day: "2026-01-31", ...rolled });
    await insertDay(trial, { area: name, team: name, env: name }, { day: "2026-01-31", ...rolled, ...average });
    await insertDay(trial, { area: name, env: name }, { day: newest, ...rolled, ...average });
  }
  for (const name of hostileNames) {
    const scope = { areas: [name], teams: [{ area: name, team: name }], env: [name] };
    const why = { text: name, url: "https://example.com/why" };
    await campaign(trial, { name, owner: name, why, scope, goal: { metric: "security.dast", min: 50 } });
  }
  const { scorecards } = shippedEngine;
  await recordCampaigns({ database: trial.database, rules: { scorecards }, signal: new AbortController().signal });
  // The embedded clock has milliseconds only, that of PostgreSQL microseconds.
  await trial.database.knex.raw(`
    UPDATE scores
    SET reported_at = reported_at + interval '7 microseconds', changed_at = changed_at + interval '5 microseconds'
  `);
  await trial.database.knex.raw("UPDATE score_changes SET at = at + interval '5 microseconds'");
  await trial.database.knex.raw(`
    INSERT INTO score_confirmations (target_id, metric_id, at)
    SELECT target_id, metric_id, reported_at - interval '9 microseconds' FROM scores
  `);
  await trial.database.knex.raw(
    "INSERT INTO roll_ups_again (day, target_id) SELECT DISTINCT '2026-01-31'::date, target_id FROM scores",
  );
  await trial.database.knex.raw("UPDATE problems SET opened_at = opened_at - interval '3 microseconds'");
  const before = await contents(trial);
  const names = hostileNames.length;
  const moved = {
    ...{ scores: 2 * names, problems: 2 * names, score_changes: 3 * names, score_confirmations: 2 * names },
    ...{ roll_up_days: 3 * names, roll_ups_again: 2 * names },
    ...{ waivers: 2 * names, apps: 3 * names, retired_envs: 0, former_names: names },
    ...{ campaigns: names, campaign_members: names, campaign_days: names },
  };
  const said = `Stored scores: ${2 * names}, problems: ${2 * names}, changes of scores: ${3 * names}, times at which scores were confirmed: ${2 * names}, roll-ups of days: ${3 * names}, roll-ups of days to write again: ${2 * names}, waivers: ${2 * names}, registered or retired applications: ${3 * names}, retired environments: 0, former names: ${names}, campaigns by area: ${names}, members of campaigns: ${names}, days of campaigns: ${names}.\n`;

  const postgres = await useServiceOn("postgres");
  const file = await exported(trial.database);
  expect(await runOn(postgres.database, ["import"], { stdin: Readable.from(file) })).toBe(said);
  expect(await contents(postgres)).toEqual(before);
  const linesOf = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString().split("\n").sort();
  expect(linesOf(await exported(postgres.database))).toEqual(linesOf(file));
  expect((await postgres.database.knex.raw(historyFaults)).rows).toEqual([]);
  await expect(importRows(postgres.database, exportRows(trial.database))).rejects.toThrow("the store has the area");

  const back = await useServiceOn("pglite");
  expect(await importRows(back.database, exportRows(postgres.database))).toEqual(moved);
  expect(await contents(back)).toEqual(before);
  const scrapes = await Promise.all([trial, postgres, back].map(({ server }) => server.inject("/metrics")));
  const [first, ...others] = scrapes.map(({ payload }) =>
    parseExposition(payload)
      .map((sample) => JSON.stringify(sample))
      .sort(),
  );
  for (const other of others) expect(other).toEqual(first);
});

test("names that only a former version took move too, and are scraped as they are", async () => {
  const [from, to] = await Promise.all([useServiceOn("postgres"), useServiceOn("postgres")]);
  const targets = hiddenNames.map((name) => ({ area: name, team: name, app: name, env: name }));
  const { table: _, ...scored } = score;
  const { table: __, ...found } = { ...problem, severity: "high" as const };
  await saveScores(
    from.database.knex,
    targets.map((names) => ({ ...scored, ...names, pipeline_id: names.area })),
  );
  for (const names of targets) {
    await storeProblem(from.database.knex, { ...found, ...names, problem_type: names.area, chat_channel: names.area });
  }
  const moved = { scores: hiddenNames.length, problems: hiddenNames.length, score_changes: hiddenNames.length };
  expect(await importRows(to.database, exportRows(from.database))).toMatchObject(moved);
  expect(await contents(to)).toEqual(await contents(from));
  const { payload } = await to.server.inject("/metrics?collect[]=problems");
  expect(
    parseExposition(payload)
      .map(({ labels }) => labels.problem_type)
      .sort(),
  ).toEqual([...hiddenNames].sort());
});

test("any raw that can be stored moves as it is", async () => {
  const seed = Date.now() % 2 ** 31;
  const { app: _, ...common } = { ...score, table: undefined, raw: undefined };
  const looksLikeRow = fc.record({ table: fc.jsonValue(), area: fc.jsonValue(), key: fc.constant(null) });
  const raw = fc
    .dictionary(fc.string({ unit: "grapheme" }), fc.oneof(fc.jsonValue(), looksLikeRow, fc.constant(null)))
    .filter((value) => !unstorable(value, "raw"));
  const raws = [
    { table: "scores", area: "shop", app: null, nested: { table: 1, area: 2, x: null } },
    ...fc.sample(raw, { seed, numRuns: 500 }),
  ];
  const [from, to] = await Promise.all([useServiceOn("postgres"), useServiceOn("postgres")]);
  await saveScores(
    from.database.knex,
    raws.map((raw, index) => ({ ...common, app: `${index}`, raw })),
  );
  expect(await importRows(to.database, exportRows(from.database))).toMatchObject({ scores: raws.length, problems: 0 });
  const stored = async ({ database }: { database: Database }) =>
    (await database.knex.raw("SELECT raw::text AS raw FROM scores_by_name ORDER BY app")).rows.map(
      ({ raw }: { raw: string }) => raw,
    );
  const [before, after] = await Promise.all([stored(from), stored(to)]);
  expect(
    after.filter((raw: string, index: number) => raw !== before[index]),
    `seed ${seed}`,
  ).toEqual([]);
});

test("10,000 rows of 10 KiB move both ways in a small part of their size", { timeout: 120_000 }, async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const count = 10_000;
  let most = 0;
  let moved = 0;
  const weigh = () => {
    if (moved++ % 500 !== 0) return;
    collectGarbage();
    most = Math.max(most, process.memoryUsage().heapUsed);
  };
  const [from, to] = await Promise.all([useServiceOn("postgres"), useServiceOn("postgres")]);
  weigh();
  const start = most;
  await importRows(from.database, many());
  expect(await importRows(to.database, weighed(exportRows(from.database)))).toMatchObject({
    scores: count,
    problems: 0,
  });
  expect(moved).toBe(2 * count + 1);
  expect(most - start).toBeLessThan(40 * 1_048_576);

  async function* many(): AsyncGenerator<string> {
    for (let index = 0; index < count; index++) {
      weigh();
      yield JSON.stringify({ ...score, app: `app-${index}`, raw: { report: `${index}`.padEnd(10_240, "x") } });
    }
  }
  async function* weighed(rows: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const row of rows) {
      weigh();
      yield row;
    }
  }
});
