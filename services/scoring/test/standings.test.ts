import { type AppLevel, type Level, rollUp, type ScoreRecord, type Severity, type Target } from "@maturity/core";
import { levelFacts, levelOf } from "@maturity/core/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fact } from "../src/model/fact.ts";
import { announceChanges } from "../src/notifications/standings/announce-changes.ts";
import { compareLevels } from "../src/notifications/standings/compare-levels.ts";
import { noneWaits } from "./support/alert-rows.ts";
import { ageScores } from "./support/days.ts";
import { notifyFile, secretOf, usePeer } from "./support/peers.ts";
import { problem } from "./support/problem-report.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines, shippedEngine, type TestService, until, useService } from "./support/service.ts";

const { scorecards } = shippedEngine;
const levels: readonly Level[] = [
  { name: "bronze", minScore: 40 },
  { name: "silver", minScore: 60, minFresh: 0.05, noOpenProblems: "high" },
  { name: "gold", minScore: 80, metrics: { "security.secret_scan": 100 }, noOpenProblems: "low" },
];

/** A service with a webhook that gets all facts. */
async function useWatched(options: object = {}) {
  const peer = await usePeer();
  const notify = await notifyFile(
    `destinations: { peer: { kind: webhook, url: "${peer.url}", secret_file: secret, allow_private: true } }
routes: [{ types: ["score.*", "level.*"], to: [peer] }]`,
    { secret: secretOf("one") },
  );
  const service = await useService({ notify, levels, ...options });
  return { service, peer };
}

interface Watched {
  readonly service: TestService;
  /** The policy of which this is the watcher. */
  readonly policy?: number;
}

/** Looks for what is to be announced, as an instance does, and gives the facts. */
async function look({ service: { database, notifications }, policy = 0 }: Watched): Promise<Fact[]> {
  const announced: Fact[] = [];
  const facts = {
    store: (trx: Parameters<typeof notifications.facts.store>[0], some: readonly Fact[]) => {
      announced.push(...some);
      return notifications.facts.store(trx, some);
    },
  };
  const { signal } = new AbortController();
  const deps = { database, rules: { scorecards, levels, applies: [] }, policy, facts, signal };
  await compareLevels(deps);
  await announceChanges(deps);
  return announced;
}

const coverage = (percent: number) => ({ coverage_pct: percent });

/** Metrics with a raw for any number from 0 to 100. */
const raws: Readonly<Record<string, (percent: number) => object>> = {
  "application.unit_coverage": coverage,
  "application.integration_coverage": coverage,
  "reliability.sla": (percent) => ({ availability_pct: 94 + percent * 0.06 }),
  "reliability.change_failure_rate": (percent) => ({ rate_pct: 100 - percent }),
  "security.sast": (percent) => ({ critical: 0, high: Math.round((100 - percent) / 10), medium: 0 }),
  "security.secret_scan": (percent) => ({ found: percent < 50 }),
};

const names = ["cart", "search"].flatMap((app) => ["prod", "staging"].map((env) => ({ app, env })));
const hoursAgo = fc.constantFrom(undefined, undefined, undefined, 0.5, 20, 30, 90);

const report = fc.record({
  kind: fc.constant("report" as const),
  of: fc.constantFrom(...names),
  results: fc.array(
    fc.record({
      metric: fc.constantFrom(...Object.keys(raws)),
      percent: fc.constantFrom(0, 20, 50, 60, 75, 90, 100),
      hours: hoursAgo,
    }),
    { minLength: 1, maxLength: 4 },
  ),
});
const found = fc.record({
  kind: fc.constant("problem" as const),
  of: fc.constantFrom(...names),
  severity: fc.constantFrom<Severity>("critical", "low"),
  count: fc.constantFrom(0, 2),
});
const looking = fc.record({ kind: fc.constant("look" as const) });
const steps = fc.array(
  fc.oneof({ weight: 6, arbitrary: report }, { weight: 1, arbitrary: found }, { weight: 2, arbitrary: looking }),
  { minLength: 40, maxLength: 40 },
);

/** What is announced, without the id in the subject and the condition of the next level. */
interface News {
  readonly type: string;
  readonly app: string | null;
  readonly env: string | null;
  readonly from: unknown;
  readonly to: unknown;
}

const rounded = (value: unknown) => (typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value);

function shown({ type, app, env, data: { from, to } }: Fact): News {
  return { type, app, env, from: rounded(from), to: rounded(to) };
}

/** What should be announced, by the roll-up of core over all that was reported, one report after the other. */
function createModel() {
  const records = new Map<string, ScoreRecord & { readonly at: number }>();
  const open = new Map<string, Severity>();
  const ranks = new Map<string, number>();
  const idOf = (target: object) => JSON.stringify(target);

  function standing({ app, env }: Pick<Target, "app" | "env">): { score: number | null; level: AppLevel | null } {
    const own = [...records.values()].filter((one) => one.app === app && one.env === env);
    const [rolled] = rollUp(scorecards, own, new Date()).apps;
    if (!rolled) return { score: null, level: null };
    const scores = scorecards.flatMap(({ name, metrics }) =>
      metrics.map((metric) => own.find((one) => one.scorecard === name && one.metric === metric.name)),
    );
    const problems = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
    const severity = open.get(idOf({ app, env }));
    if (severity) problems[severity] = 1;
    return { score: rolled.score, level: levelOf(rolled, levelFacts(scorecards, scores, [], problems), levels) };
  }

  function levelNews({ app, env }: Pick<Target, "app" | "env">, level: AppLevel | null, isSilent: boolean): News[] {
    const id = idOf({ app, env });
    const [before, rank] = [ranks.get(id) ?? 0, level?.rank ?? 0];
    ranks.set(id, rank);
    if (before === rank || isSilent) return [];
    const type = rank < before ? "level.lost" : "level.reached";
    return [{ type, app, env, from: levels[before - 1]?.name ?? null, to: level?.name ?? null }];
  }

  return {
    report(
      of: Pick<Target, "app" | "env">,
      stored: readonly (ScoreRecord & { at: number; isPast: boolean })[],
    ): News[] {
      const before = standing(of);
      const changed = stored.filter((one) => {
        const key = idOf([of, one.scorecard, one.metric]);
        const former = records.get(key);
        if (former && one.at < former.at) return false;
        records.set(key, one);
        return former?.score !== one.score;
      });
      if (changed.length === 0) return [];
      const isSilent = changed.every(({ isPast }) => isPast);
      const after = standing(of);
      const hasDropped =
        before.score !== null &&
        after.score !== null &&
        (before.score - after.score >= 10 - 1e-9 ||
          (after.score < before.score && (after.level?.rank ?? 0) < (before.level?.rank ?? 0)));
      const drop = { type: "score.dropped", ...of, from: rounded(before.score), to: rounded(after.score) };
      return [...(hasDropped && !isSilent ? [drop] : []), ...levelNews(of, after.level, isSilent)];
    },
    problem(of: Pick<Target, "app" | "env">, severity: Severity, count: number): News[] {
      if (count > 0) open.set(idOf(of), severity);
      else open.delete(idOf(of));
      return levelNews(of, standing(of).level, false);
    },
  };
}

const byApp = (announced: readonly News[]) => Object.groupBy(announced, ({ app, env }) => `${app} ${env}`);

describe.each(engines)("on %s", (kind) => {
  test.each([1, 2, 3, 4, 5, 6])("what is announced is what core says of each report (%i)", async (seed) => {
    const { service } = await useWatched({ databaseUrl: await createDatabase(kind) });
    const model = createModel();
    const [expected, announced]: [News[], News[]] = [[], []];
    const lookNow = async () => void announced.push(...(await look({ service })).map(shown));
    await lookNow();
    const now = Date.now();
    for (const step of fc.sample(steps, { seed, numRuns: 1 })[0] ?? []) {
      if (step.kind === "look") {
        await lookNow();
        continue;
      }
      const target = { area: "shop", team: "checkout", ...step.of };
      if (step.kind === "problem") {
        await lookNow(); // the open problems of before are not stored
        const { severity, count } = step;
        const { status } = await post(service, "/problem/scan-result", {
          ...problem,
          ...target,
          severity,
          count,
          details: [],
        });
        expect(status).toBe(200);
        expected.push(...model.problem(step.of, severity, count));
        await lookNow();
        continue;
      }
      const results = [...new Map(step.results.map((result) => [result.metric, result])).values()];
      const sent = results.map(({ metric, percent, hours }) => {
        const [scorecard = "", name = ""] = metric.split(".");
        const at = hours === undefined ? Date.now() : now - hours * 3_600_000;
        const measured = hours === undefined ? {} : { measured_at: new Date(at).toISOString() };
        return {
          at,
          isPast: (hours ?? 0) > 24,
          body: { ...target, scorecard, metric: name, raw: raws[metric]?.(percent), ...measured },
        };
      });
      const { status, body } = await post(service, "/scores", { scores: sent.map((one) => one.body) });
      expect(status, JSON.stringify(body)).toBe(200);
      const answered = body.scores as readonly ScoreRecord[];
      const stored = sent.map(({ at, isPast }, index) => {
        return { ...(answered[index] as ScoreRecord), reported_at: new Date(at), at, isPast };
      });
      expected.push(...model.report(step.of, stored));
    }
    await lookNow();
    expect(byApp(announced)).toEqual(byApp(expected));
    expect(new Set(announced.map(({ type }) => type)).size).toBeGreaterThan(1);
    expect(await look({ service })).toEqual([]);
  });

  test("each instance looks, and one announces", async () => {
    const databaseUrl = await createDatabase(kind);
    const { service } = await useWatched({ databaseUrl });
    const others = kind === "postgres" ? [(await useWatched({ databaseUrl })).service] : [service];
    await look({ service });
    for (const found of [false, true, false, true]) {
      await post(service, "/score", { ...cart, scorecard: "security", metric: "secret_scan", raw: { found } });
    }
    const announced = await Promise.all([service, ...others, service, ...others].map((one) => look({ service: one })));
    expect(announced.flat().map(({ type }) => type)).toEqual([
      "level.reached",
      "score.dropped",
      "level.lost",
      "level.reached",
      "score.dropped",
      "level.lost",
    ]);
  });

  test("a level that time took is announced within an hour, and after a change of the rules nothing is", async () => {
    const { service } = await useWatched({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    await look({ service });
    await post(service, "/score", { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: false } });
    expect((await look({ service })).map(shown)).toMatchObject([{ type: "level.reached", from: null, to: "gold" }]);
    await ageScores(knex, 60);
    expect(await look({ service })).toEqual([]);
    await knex.raw("UPDATE levels_compared SET compared_at = compared_at - interval '61 minutes'");
    const [lost, ...more] = await look({ service });
    expect(more).toEqual([]);
    expect(lost).toMatchObject({ type: "level.lost", data: { from: "gold", to: "bronze", next: { name: "silver" } } });

    await knex.raw("UPDATE known_levels SET rank = 3"); // as if other rules had given it
    await knex.raw("INSERT INTO policies (policy) VALUES ('{}')");
    const { rows } = await knex.raw("SELECT max(id) AS id FROM policies");
    expect(await look({ service })).toEqual([]); // an instance with the former rules leaves it alone
    expect(await look({ service, policy: rows[0].id })).toEqual([]);
    expect((await knex.raw("SELECT rank FROM known_levels")).rows).toEqual([{ rank: 1 }]);
  });
});

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };

test("a drop arrives with what fell, and replies stay with the first message", async () => {
  const { service, peer } = await useWatched();
  await look({ service });
  const report = (found: boolean) =>
    post(service, "/score", { ...cart, scorecard: "security", metric: "secret_scan", raw: { found } });
  await report(false);
  await report(true);
  await look({ service });
  await until(() => noneWaits(service.databaseUrl));
  const events = peer.requests.map(({ body }) => JSON.parse(body));
  expect(events.map(({ type }) => type).sort()).toEqual([
    "maturity.level.lost",
    "maturity.level.reached",
    "maturity.score.dropped",
  ]);
  expect(new Set(events.map(({ subject }) => subject)).size).toBe(1);
  expect(events.find(({ type }) => type === "maturity.score.dropped")).toMatchObject({
    data: {
      ...cart,
      ...{ from: 100, to: 0, level_from: "gold", level_to: null },
      metrics: [{ metric: "security.secret_scan", from: 100, to: 0 }],
    },
  });
});

test("nothing is noted where no destination may get it", async () => {
  const service = await useService({ chat: { token: "xoxb-1", defaultChannel: "#alerts" } });
  await post(service, "/score", { ...cart, scorecard: "security", metric: "secret_scan", raw: { found: false } });
  await post(service, "/problem/scan-result", { ...problem, ...cart });
  expect((await service.database.knex.raw("SELECT id FROM reported_changes")).rows).toEqual([]);
});

test("what is held, retired or merged away is announced nowhere", async () => {
  const { service } = await useWatched({ unregistered: "hold" });
  await look({ service });
  const report = (app: string, found: boolean) =>
    post(service, "/score", { ...cart, app, scorecard: "security", metric: "secret_scan", raw: { found } });
  await report("held", false);
  expect(await look({ service })).toEqual([]);
  await service.server.inject({
    method: "PUT",
    url: "/registry",
    headers: { "content-type": "application/json" },
    payload: { apps: ["retired", "gone", "kept"].map((app) => ({ area: "shop", team: "checkout", app })) },
  });
  for (const app of ["retired", "gone"]) await report(app, false);
  const { app: _, env: __, ...group } = cart;
  const retired = await post(service, "/apps/retire", { ...group, app: "retired", reason: "sold" });
  expect(retired.status).toBe(200);
  await report("kept", true);
  const merged = await post(service, "/apps/move", {
    ...{ from: { ...group, app: "gone" }, to: { ...group, app: "kept" }, merge: true },
  });
  expect(merged.status).toBe(200);
  expect((await look({ service })).map(({ app }) => app).filter((app) => app !== "kept")).toEqual([]);
  expect((await service.database.knex.raw("SELECT id FROM reported_changes")).rows).toEqual([]);
});
