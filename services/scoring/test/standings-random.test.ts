import { type AppLevel, rollUp, type ScoreRecord, type Severity, type Target } from "@maturity/core";
import { levelFacts, levelOf } from "@maturity/core/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { problem } from "./support/problem-report.ts";
import { post } from "./support/requests.ts";
import { createDatabase, engines } from "./support/service.ts";
import { levels, look, type News, rounded, scorecards, shown, useWatched } from "./support/standings.ts";

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
});
