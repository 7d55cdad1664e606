import type { ScoreRecord, Waiver } from "@maturity/core";
import { describe, expect, test } from "vitest";
import type { Problem } from "../src/model/problem.ts";
import { type RecordedRules, recordedOf, recordRules } from "../src/policy/recorded.ts";
import { applyPolicy, noPolicy } from "../src/policy/rules.ts";
import type { Replay } from "../src/replay/replay.ts";
import type { Database } from "../src/store/database.ts";
import type { NewScore } from "../src/store/new-score.ts";
import { insertPolicy } from "../src/store/policies.ts";
import { newScore } from "./support/new-score.ts";
import { insertRows, randomWaivers } from "./support/random-waivers.ts";
import { goneScorecard, modelApps, scoreOrCode, storedScores } from "./support/replay.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";
import { storeProblem } from "./support/store.ts";

const declared = shippedEngine.scorecards;
const today = applyPolicy(declared, noPolicy);

/** What was in force: other weights and levels, and a scorecard that is not installed any more. */
const inForce: RecordedRules = {
  scorecards: [
    ...recordedOf(applyPolicy(declared, { weights: { security: 3, "security.dast": 90 }, maxAgeHours: {} })).scorecards,
    goneScorecard,
  ],
  levels: [{ name: "tin", min_score: 40, no_open_problems: "high" }],
};

const before = {
  scorecards: inForce.scorecards.map(({ metrics, ...card }) => ({
    ...card,
    metrics: metrics.map(({ max_age_hours, ...metric }) => ({
      ...metric,
      ...(max_age_hours && { maxAgeHours: max_age_hours }),
    })),
  })),
  levels: [{ name: "tin", minScore: 40, noOpenProblems: "high" as const }],
};

interface Filled {
  readonly scores: readonly (NewScore & ScoreRecord)[];
  readonly waivers: readonly Waiver[];
  readonly problems: readonly Problem[];
}

async function fill({ knex }: Database, seed: number): Promise<Filled> {
  const scores = storedScores(seed);
  await saveScores(knex, scores);
  await knex.raw(
    "UPDATE scores SET reported_at = reported_at - interval '21 days' * (((target_id * 37 + metric_id * 11) % 256) / 255.0)",
  );
  const { rows } = await knex.raw("SELECT * FROM scores_by_name");
  const stored = rows.map((row: NewScore & ScoreRecord) => ({ ...row, score: Number(row.score) }));
  const waivers = randomWaivers(seed, stored, declared);
  await knex.raw(insertRows.replace("$1", "?"), [JSON.stringify(waivers)]);
  const problems = scores.slice(0, 20).map(
    ({ area, team, app, env }, index): Problem => ({
      ...{ area, team, app, env, problem_type: `type ${index}`, count: index % 3, details: [] },
      severity: index % 2 === 0 ? "critical" : "low",
    }),
  );
  for (const problem of problems) await storeProblem(knex, problem);
  await insertPolicy(knex, inForce);
  return { scores: stored, waivers, problems };
}

const idOf = ({ area, team, app, env }: Readonly<Record<"area" | "team" | "app" | "env", string>>) =>
  JSON.stringify([area, team, app, env]);

async function replay(database: Database, ...options: string[]): Promise<Replay> {
  return JSON.parse(await runOn(database, ["replay", "--format", "json", ...options]));
}

describe.each(engines)("on %s", (kind) => {
  test.each([1, 2, 3])("says of a random store what a plain model does, seed %i", async (seed) => {
    const { database } = await useService({ databaseUrl: await createDatabase(kind) });
    const filled = await fill(database, seed);
    const said = await replay(database);
    const at = new Date(said.as_of);
    const rescored = filled.scores.map((one) => ({ ...one, to: scoreOrCode(shippedEngine, one) }));
    const later = rescored.map((one) => ({ ...one, score: typeof one.to === "number" ? one.to : one.score }));

    const count = (holds: (one: (typeof rescored)[number]) => boolean) => rescored.filter(holds).length;
    const engineOf = (name: string) => declared.find((card) => card.name === name)?.package;
    const scorerOf = (name: string) => `${engineOf(name)?.name}@${engineOf(name)?.version}`;
    const isMoved = (one: (typeof rescored)[number]) => typeof one.to === "number" && one.to !== one.score;
    expect(said.scores).toMatchObject({
      scores: count(({ to }) => to !== "unknown-scorecard"),
      moved: count(isMoved),
      up: count((one) => isMoved(one) && Number(one.to) > one.score),
      other_scorer: count(({ to, scorecard, scorer }) => typeof to === "number" && scorer !== scorerOf(scorecard)),
      refused: count(({ to }) => to === "invalid-raw"),
      not_installed: count(({ to }) => to === "unknown-scorecard"),
    });
    expect(said.scores.moved).toBeGreaterThan(20);
    expect(said.scores.refused).toBeGreaterThan(5);
    expect(said.scores.not_installed).toBeGreaterThan(5);
    const distances = rescored.filter(isMoved).map((one) => Math.abs(Number(one.to) - one.score));
    const largest = distances.sort((a, b) => b - a).slice(0, 20);
    expect(said.scores.largest.map(({ change }) => Math.abs(change))).toEqual(
      largest.map((distance) => expect.closeTo(distance, 6)),
    );
    expect(said.scores.refusals.reduce((sum, one) => sum + one.count, 0)).toBe(said.scores.refused);
    expect(said.scores.refusals.flatMap(({ keys }) => keys).length).toBe(said.scores.refused);

    const facts = { at, waivers: filled.waivers, problems: filled.problems };
    const from = new Map(modelApps(before as never, filled.scores, facts).map((app) => [idOf(app), app]));
    const to = new Map(modelApps(today, later, facts).map((app) => [idOf(app), app]));
    const ids = [...new Set([...from.keys(), ...to.keys()])];
    expect(said.applications).toBe(ids.length);
    const changed = new Map(said.changed.map((app) => [idOf(app), app]));
    for (const id of ids) {
      const [was, is] = [from.get(id), to.get(id)];
      const isSame = was && is && Math.abs(is.score - was.score) < 1e-9 && was.level === is.level;
      expect(changed.has(id), id).toBe(!isSame);
      if (isSame) continue;
      const score = (one: number | undefined) => (one === undefined ? null : expect.closeTo(one, 9));
      expect(changed.get(id)).toMatchObject({
        score: { from: score(was?.score), to: score(is?.score) },
        level: { from: was?.level ?? null, to: is?.level ?? null },
      });
    }
  });

  test("filters applications, and scores only the metrics again that are asked for", async () => {
    const { database } = await useService({ databaseUrl: await createDatabase(kind) });
    const { scores } = await fill(database, 4);
    const all = await replay(database);
    const [first] = all.changed;
    if (!first) throw new Error("nothing changes");
    const one = await replay(
      database,
      ...["area", "team", "app", "env"].flatMap((name) => [`--${name}`, first[name as "app"]]),
    );
    expect(one.changed).toEqual([first]);
    expect(one.scores.scores + one.scores.not_installed).toBe(
      scores.filter((score) => idOf(score) === idOf(first)).length,
    );
    const names = all.scores.metrics.map(({ scorecard, metric }) => `${scorecard}.${metric}`);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names.slice(0, 3)) {
      const { metrics } = (await replay(database, "--metric", name)).scores;
      expect(metrics).toEqual(all.scores.metrics.filter(({ scorecard, metric }) => `${scorecard}.${metric}` === name));
    }
    const security = (await replay(database, "--scorecard", "security")).scores.metrics;
    expect(security).toEqual(all.scores.metrics.filter(({ scorecard }) => scorecard === "security"));
    expect((await replay(database, "--metric", "dast")).scores.metrics).toHaveLength(1);
    await expect(replay(database, "--metric", "security.dats")).rejects.toThrow(
      "no installed package has a metric security.dats; there are: ",
    );
  });
});

/** A store with one application that falls from 100 to 0 in one of two metrics. */
async function useFallen() {
  const service = await useService();
  const key = { area: "shop", team: "a|b", app: "@cart", env: "prod" };
  await saveScores(service.database.knex, [
    newScore({ ...key, metric: "secret_scan", score: 100, raw: { found: true }, scorer: "@maturity/security@0.0.9" }),
    newScore({ ...key, metric: "dast", score: 100, raw: { high: 0, medium: 0 } }),
    newScore({ ...key, metric: "sast", score: 5, raw: { critical: -1, high: 0, medium: 0 } }),
  ]);
  await recordRules(service.database, today, { actor: "test", file: undefined });
  return service;
}

test("as text it shows counts, applications, the scores that move furthest with their reasons, and what is refused", async () => {
  const { database } = await useFallen();
  const text = await runOn(database, ["replay"]);
  expect(text).toMatch(/^Scored again by @maturity\/security@\S+, .* the weights in force since \S+Z\.$/m);
  expect(text).toMatch(/^Of 3 scores 1 move: 0 up, 1 down\.$/m);
  expect(text).toMatch(/^Refused now, so the stored score stays: 1\.$/m);
  expect(text).toMatch(/^security\.secret_scan +1 +1 +-100\.00 +-100\.00 +0\.00 +1 +0$/m);
  expect(text).toContain("Of 1 applications 1 get another score;");
  expect(text).toMatch(/^shop\/a\|b\/@cart \(prod\) falls furthest, by \d+\.\d\d points\.$/m);
  expect(text).toMatch(/^shop\/a\|b\/@cart \(prod\) security\.secret_scan: 100 -> 0 \(-100\.00\)$/m);
  expect(text).toMatch(/^ {2}before, by @maturity\/security@0\.0\.9: reasons unknown$/m);
  expect(text).toMatch(/^ {2}now, by @maturity\/security@\S+: found: .*$/m);
  expect(text).toMatch(/raw does not fit security\.sast: raw\.critical.*\n {4}shop\/a\|b\/@cart \(prod\)$/m);
});

test("--before shows the reasons of before, where these packages make the stored score", async () => {
  const { database } = await useService();
  const raw = { found: true };
  const { score } = shippedEngine.score("security", "secret_scan", raw);
  await saveScores(database.knex, [newScore({ metric: "secret_scan", score, raw })]);
  await saveScores(database.knex, [newScore({ app: "b", metric: "secret_scan", score: 7, raw })]);
  const moved = (await replay(database, "--before", process.cwd())).scores.largest;
  expect(moved).toMatchObject([
    { app: "b", from: { score: 7, reasons: null }, to: { score: 0, reasons: [{ field: "found" }] } },
  ]);
});

test("--max-drop ends with a message once all is shown", async () => {
  const { database } = await useFallen();
  const { changed } = await replay(database);
  const drop = (changed[0]?.score.from ?? 0) - (changed[0]?.score.to ?? 0);
  expect(drop).toBeGreaterThan(10);
  expect(await runOn(database, ["replay", "--max-drop", String(Math.ceil(drop))])).toContain("Of 3 scores");
  await expect(runOn(database, ["replay", "--max-drop", "9.5"])).rejects.toThrow(
    /^shop\/a\|b\/@cart \(prod\) falls by [\d.]+ points; --max-drop allows 9\.5$/,
  );
});

test.each([[], ["--max-drop", "10"], ["--apply"]])("names that no score has pass no gate: %j", async (...options) => {
  const { database } = await useFallen();
  await expect(
    runOn(database, ["replay", "--area", "shpo", "--env", "prod", "--env", "test", ...options]),
  ).rejects.toThrow(/^no score has --area shpo and --env prod or test$/);
});

test("CSV has a line for each application that changes", async () => {
  const { database } = await useFallen();
  const lines = (await runOn(database, ["replay", "--format", "csv"])).trimEnd().split("\r\n");
  expect(lines[0]).toBe("area,team,app,env,score_before,score_after,change,level_before,level_after,unmet");
  expect(lines.slice(1)).toEqual([expect.stringMatching(/^shop,a\|b,'@cart,prod,[\d.]+,[\d.]+,-[\d.]+,/)]);
});

test("before any start has recorded weights, it compares with those of today", async () => {
  const { database } = await useService();
  await saveScores(database.knex, [newScore({ metric: "secret_scan", score: 100, raw: { found: false } })]);
  expect(await replay(database)).toMatchObject({ in_force_since: null, settings: [], changed: [], applications: 1 });
});

test("a metric that is no longer installed leaves, and what only it gave has no score", async () => {
  const { database } = await useService();
  await saveScores(database.knex, [newScore({ scorecard: "gone", metric: "old", score: 40 })]);
  await insertPolicy(database.knex, inForce);
  const said = await replay(database);
  expect(said.changed).toMatchObject([{ score: { from: 40, to: null }, level: { from: "tin", to: null } }]);
  expect(await runOn(database, ["replay"])).toMatch(/^area\/team\/app \(prod\) +40\.00 -> none +tin -> none/m);
});
