import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { findNewScorecards } from "../src/commands/serve/new-scorecards.ts";
import { putInForce } from "../src/commands/serve/put-in-force.ts";
import { recordRules } from "../src/policy/recorded.ts";
import { applyPolicy, noPolicy } from "../src/policy/rules.ts";
import { compareRules } from "../src/rollups/compare-rules.ts";
import { openDatabase } from "../src/store/database.ts";
import { readPage } from "./support/reading.ts";
import { post, put } from "./support/requests.ts";
import { createDatabase, shippedEngine, useService } from "./support/service.ts";

const { scorecards } = shippedEngine;
const all = applyPolicy(scorecards, noPolicy);
const without = applyPolicy(
  scorecards.filter(({ name }) => name !== "application"),
  noPolicy,
);
const by = { actor: "ops", file: undefined };
const cart = { area: "shop", team: "checkout", app: "cart" };
const result = (metric: string, raw: object, scorecard = "security") => ({
  ...cart,
  env: "prod",
  scorecard,
  metric,
  raw,
});

test("a scorecard that is new and not announced is named with what it does, and the audit keeps it", async () => {
  const service = await useService({});
  const { database } = service;
  expect(await findNewScorecards(database, all)).toBeUndefined();
  await recordRules(database, without, by);
  const counts = { critical: 0, high: 0, medium: 0 };
  const scores = [
    ...[result("image_scan", counts), result("sast", counts), result("secret_scan", { found: false })],
    ...[result("sla", { availability_pct: 100 }, "reliability"), result("mttr", { minutes: 1 }, "reliability")],
    ...[result("mttd", { minutes: 1 }, "reliability"), result("dast", { high: 0, medium: 0 })],
    ...[result("change_failure_rate", { rate_pct: 0 }, "reliability")],
    result("unit_coverage", { coverage_pct: 10 }, "application"),
  ];
  expect(await post(service, "/scores", { scores })).toMatchObject({ status: 200 });

  const added = await findNewScorecards(database, all);
  expect(added).toEqual({ scorecards: ["application"], moved: 1, lose_level: 1, applications: 1 });
  const announced = { ...all, applies: [{ scorecard: "application", from: "2999-01-01" }] };
  expect(await findNewScorecards(database, announced)).toBeUndefined();
  const past = { ...all, applies: [{ scorecard: "application", from: "2020-01-01" }] };
  expect(await findNewScorecards(database, past)).toEqual(added);

  await recordRules(database, all, { ...by, ...(added && { new_scorecards: added }) });
  const { items } = await readPage<{ details: object }>(service, "/audit?action=policy.load");
  expect(items[0]?.details).toMatchObject({ new_scorecards: added });
  expect(await findNewScorecards(database, all)).toBeUndefined();
});

test("rules that exempt an application are shown with it, also where no score moves", async () => {
  const service = await useService({});
  await put(service, "/registry", { ...cart, labels: { kind: "library" } });
  await post(service, "/score", result("sast", { critical: 0, high: 0, medium: 0 }));
  const exempting = {
    ...all,
    applies: [{ scorecard: "security", metric: "image_scan", unless: { labels: { kind: ["library"] } } }],
  };
  const effect = await compareRules(service.database, all, exempting);
  expect(effect).toMatchObject({
    applications: 1,
    exempted: [{ ...cart, env: "prod", begins: ["security.image_scan"], ends: [] }],
  });
  expect((await compareRules(service.database, exempting, all)).exempted).toMatchObject([
    { begins: [], ends: ["security.image_scan"] },
  ]);
  expect((await compareRules(service.database, exempting, exempting)).exempted).toEqual([]);
});

test("a start asks nothing of a replica, which may be down", async () => {
  const databaseUrl = await createDatabase("postgres");
  const replicaUrl = Object.assign(new URL(databaseUrl), { port: "1" }).href;
  const database = openDatabase(databaseUrl, 1, replicaUrl);
  onTestFinished(() => database.close());
  await recordRules(database, without, by);
  await putInForce(database, all, { unregistered: "hold" }, pino({ level: "silent" }));
  expect(await findNewScorecards(database, all)).toBeUndefined();
});
