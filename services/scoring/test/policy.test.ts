import { createEngine } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { parsePolicy } from "../src/policy/policy-file.ts";
import { policyOf, type RecordedRules, recordRules } from "../src/policy/recorded.ts";
import { applyPolicy, noPolicy, type Rules } from "../src/policy/rules.ts";
import { weightsOf } from "../src/rollups/weights.ts";
import { openDatabase } from "../src/store/database.ts";
import { lastPolicy } from "../src/store/policies.ts";
import { newScore } from "./support/new-score.ts";
import { readPage } from "./support/reading.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";

type Item = Record<string, unknown>;

const declared = shippedEngine.scorecards;
const rulesOf = (text: string): Rules => applyPolicy(declared, parsePolicy(text, "policy.yaml", declared));
const heavier = rulesOf("weights: { metrics: { security.dast: 60 } }\nmax_age_hours: { security.dast: never }");
const by = { actor: "maturity-service (ann)", file: "/etc/policy.yaml" };

async function loads(service: TestService): Promise<Item[]> {
  return (await readPage<Item>(service, "/audit?action=policy.load")).items.toReversed();
}

describe.each(engines)("rules recorded on %s", (kind) => {
  test("are audited where they differ from those before, and never for the same again", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { database } = service;
    const shipped = applyPolicy(declared, noPolicy);
    for (const rules of [shipped, shipped, heavier, heavier]) await recordRules(database, rules, by);
    await recordRules(database, rulesOf("levels: [{ name: bronze, min_score: 40 }]"), { ...by, file: undefined });
    const [first, second, third, ...more] = await loads(service);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ actor: by.actor, area: null, details: { file: by.file } });
    expect((first?.details as { changes?: unknown[] } | undefined)?.changes).toContainEqual({
      ...{ setting: "levels.bronze.min_score", from: null, to: 50 },
    });
    expect(second?.details).toEqual({
      file: by.file,
      changes: [
        { setting: "weights.metrics.security.dast", from: 25, to: 60 },
        { setting: "max_age_hours.security.dast", from: 168, to: null },
      ],
    });
    expect(third?.details).toMatchObject({
      file: null,
      changes: expect.arrayContaining([
        { setting: "weights.metrics.security.dast", from: 60, to: 25 },
        { setting: "levels.bronze.min_score", from: 50, to: 40 },
        { setting: "levels.gold.rank", from: 3, to: null },
        { setting: "levels.gold.no_open_problems", from: "critical", to: null },
        { setting: "levels.gold.metrics.security.secret_scan", from: 100, to: null },
      ]),
    });
  });

  test("are recorded and audited with the versions of their packages", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const later = (version: string) =>
      applyPolicy(
        declared.map((scorecard) => ({ ...scorecard, package: { ...scorecard.package, version } })),
        noPolicy,
      );
    for (const version of ["1.0.0", "1.0.0", "1.1.0"]) await recordRules(service.database, later(version), by);
    const [, second, ...more] = await loads(service);
    expect(more).toEqual([]);
    expect(second?.details).toEqual({
      file: by.file,
      changes: ["security", "reliability", "application"].map((name) => ({
        ...{ setting: `packages.${name}`, from: `@maturity/${name}@1.0.0`, to: `@maturity/${name}@1.1.0` },
      })),
    });
    expect(second?.text).toMatch(/^loaded other rules: packages\.security @maturity\/security@1\.0\.0 → /);
  });

  test("get the packages that their last record lacks, once and without an entry in the audit", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { database } = service;
    const records = async () => (await database.knex.raw("SELECT policy FROM policies ORDER BY id")).rows;
    await recordRules(database, heavier, by);
    await database.knex.raw("UPDATE policies SET policy = policy - 'packages'");
    for (const _ of ["first start", "second start"]) await recordRules(database, heavier, by);
    const [first, second, ...more] = await records();
    expect(more).toEqual([]);
    expect(first.policy).not.toHaveProperty("packages");
    expect(Object.keys(second.policy.packages).sort()).toEqual(["application", "reliability", "security"]);
    expect(await loads(service)).toHaveLength(1);
    const upgraded = heavier.scorecards.map((scorecard) => ({
      ...scorecard,
      package: { ...scorecard.package, version: "9.0.0" },
    }));
    await recordRules(database, { ...heavier, scorecards: upgraded }, by);
    expect((await loads(service)).at(-1)?.details).toMatchObject({
      changes: [
        { setting: "packages.security" },
        { setting: "packages.reliability" },
        { setting: "packages.application" },
      ],
    });
  });

  test("of a scorecard that is named as a member of every object are its own, and its first package is no other", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const own = declared.slice(0, 1).map((scorecard) => ({ ...scorecard, name: "constructor" }));
    const rules = applyPolicy([...declared, ...own], noPolicy);
    expect(rules.scorecards.at(-1)?.weight).toBe(declared[0]?.weight);
    for (const loaded of [applyPolicy(declared, noPolicy), rules]) await recordRules(service.database, loaded, by);
    const [, second] = (await loads(service)) as { readonly details: { readonly changes: readonly Item[] } }[];
    const changes = second?.details.changes ?? [];
    expect(changes).toContainEqual({ setting: "weights.scorecards.constructor", from: null, to: declared[0]?.weight });
    expect(changes.filter(({ setting }) => String(setting).startsWith("packages"))).toEqual([]);
  });

  test("come back as they were, whatever is declared now", async () => {
    const { database } = await useService({ databaseUrl: await createDatabase(kind) });
    await recordRules(database, heavier, by);
    const last = await lastPolicy<RecordedRules>(database.knex);
    if (!last) throw new Error("nothing is recorded");
    const lighter = applyPolicy(declared, parsePolicy("weights: { scorecards: { security: 1 } }", "p", declared));
    const back = applyPolicy(lighter.scorecards, policyOf(last.policy));
    expect(weightsOf(back.scorecards)).toBe(weightsOf(heavier.scorecards));
    expect(back).toEqual(heavier);
  });
});

test("instances that start together with a new policy show it once", async () => {
  const service = await useService();
  const instances = Array.from({ length: 5 }, () => openDatabase(service.databaseUrl, 2));
  await Promise.all(instances.map((instance) => recordRules(instance, heavier, by)));
  await Promise.all(instances.map((instance) => instance.close()));
  expect(await loads(service)).toHaveLength(1);
  expect((await service.database.knex.raw("SELECT FROM policies")).rows).toHaveLength(1);
});

test("rules whose loading cannot be recorded are not recorded", async () => {
  const { database } = await useService();
  await database.knex.raw("ALTER TABLE audit ADD CHECK (action <> 'policy.load')");
  await expect(recordRules(database, heavier, by)).rejects.toThrow(/check/);
  expect(await lastPolicy(database.knex)).toBeUndefined();
});

test("weights and ages of a policy are those of lists and scrapes", async () => {
  const service = await useService({ engine: createEngine(heavier.scorecards) });
  await saveScores(service.database.knex, [
    newScore({ metric: "dast", score: 100 }),
    newScore({ metric: "sast", score: 0 }),
  ]);
  const weight = (name: string) => declared[0]?.metrics.find((metric) => metric.name === name)?.weight ?? Number.NaN;
  const [app] = (await readPage<Item>(service, "/apps")).items;
  expect(app?.score).toBeCloseTo((60 * 100) / (60 + weight("sast")), 9);
  const { payload } = await service.server.inject("/metrics?collect[]=weights");
  expect(payload).toContain('maturity_metric_weight{scorecard="security",metric="dast"} 60\n');
  expect(payload).not.toContain('maturity_metric_max_age_seconds{scorecard="security",metric="dast"}');
  const [card] = (await readPage<{ metrics: Item[] }>(service, "/scorecards")).items;
  expect(card?.metrics.find(({ metric }) => metric === "dast")).toMatchObject({ weight: 60, max_age_hours: null });
});

test("the rules on what applies are shown with the scorecard that they are about", async () => {
  const rules = [
    { scorecard: "reliability", when: { tier: ["1", "2"] }, from: "2026-12-01" },
    { scorecard: "security", metric: "dast", unless: { labels: { kind: ["library"] }, env: ["dev"] } },
  ];
  const service = await useService({ applies: rules });
  const { items } = await readPage<{ scorecard: string; applies: object[] }>(service, "/scorecards");
  expect(items.flatMap(({ scorecard, applies }) => applies.map((rule) => ({ scorecard, ...rule })))).toEqual(
    expect.arrayContaining(rules),
  );
  expect(items.flatMap(({ applies }) => applies)).toHaveLength(rules.length);
});
