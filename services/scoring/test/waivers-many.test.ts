import { randomUUID } from "node:crypto";
import { metricIds } from "@maturity/core/wire";
import { expect, test } from "vitest";
import { metricWaived } from "../src/exposition/waiver-samples.ts";
import { maxWaivers } from "../src/model/limits.ts";
import { makeKnown } from "./support/known-names.ts";
import { newScore } from "./support/new-score.ts";
import { insertRows } from "./support/random-waivers.ts";
import { readPage } from "./support/reading.ts";
import { expectRefusal, post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";
import { inDays, revoke, waive } from "./support/waivers.ts";

const of = { area: "shop", team: "checkout", env: "prod" };

/** Stores as many waivers as an attacker would make if nothing held him, past every limit. */
async function makeMany({ database }: TestService, count: number, row: Readonly<Record<string, unknown>>) {
  const fields = {
    ...{ kind: "accepted", reason: "none", owner: "none", created_by: "none" },
    ...{ created_at: inDays(0), expires_at: inDays(30), ...row },
  };
  const rows = Array.from({ length: count }, () => ({ id: randomUUID(), ...fields }));
  await database.knex.raw(insertRows.replace("$1", "?"), [JSON.stringify(rows)]);
}

test("10,000 waivers of one application make neither scrapes nor roll-ups slow, and each series stands there once", async () => {
  const service = await useService();
  const apps = Array.from({ length: 2_000 }, (_, index) => ({ ...of, app: `app ${index}` }));
  const raw = { found: false };
  const scores = apps.map((app) => ({ ...app, scorecard: "security", metric: "secret_scan", raw }));
  for (const half of [scores.slice(0, 1_000), scores.slice(1_000)]) {
    expect(await post(service, "/scores", { scores: half })).toMatchObject({ status: 200 });
  }
  const problem = { problem_type: "leak", severity: "high", count: 1 };
  for (const app of apps.slice(0, 2)) await post(service, "/problem/scan-result", { ...app, ...problem });
  await makeMany(service, 10_000, { ...apps[0], scorecard: "security" });
  await makeMany(service, 10_000, { ...apps[0], problem_type: "leak" });
  await makeMany(service, 1, { area: "shop", team: "checkout", scorecard: "security", metric: "secret_scan" });

  const { statusCode, payload } = await service.server.inject("/metrics");
  expect(statusCode).toBe(200);
  const series = payload.split("\n").filter((line) => /^maturity_(metric|problem)_waived{/.test(line));
  expect(new Set(series).size).toBe(series.length);
  const count = (text: string) => series.filter((line) => line.includes(text)).length;
  expect(count('metric="secret_scan"')).toBe(2_000);
  expect(count('app="app 0"')).toBe(4 + 1);
  expect(await readPage(service, "/apps", { app: "app 0" })).toMatchObject({ items: [{ env: "prod", score: null }] });
  expect(await readPage(service, "/problems", { sort: "name" })).toMatchObject({
    items: [
      { app: "app 0", alert: "waived" },
      { app: "app 1", alert: null },
    ],
  });
});

test("waivers of as many applications are looked up for each metric, instead of compared with all", async () => {
  const service = await useService();
  const { knex } = service.database;
  const apps = Array.from({ length: 2_000 }, (_, index) => ({
    ...of,
    area: `area ${index % 20}`,
    app: `app ${index}`,
  }));
  await saveScores(
    knex,
    apps.map((app) => newScore({ ...app, scorecard: "security", metric: "secret_scan" })),
  );
  for (const app of apps.slice(0, 400)) await makeMany(service, 1, { ...app, scorecard: "security" });
  await knex.raw("ANALYZE");
  const { rows } = await knex.raw(`EXPLAIN (ANALYZE, FORMAT JSON) ${metricWaived(shippedEngine, {})}`);
  const metrics = metricIds(shippedEngine.scorecards).length;
  expect(rowsOf(rows[0]["QUERY PLAN"][0].Plan)).toBeLessThan(apps.length * metrics * 20);
});

interface Plan {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows a statement looked at, in all its steps. */
function rowsOf(plan: Plan): number {
  const removed = (plan["Rows Removed by Join Filter"] ?? 0) + (plan["Rows Removed by Filter"] ?? 0);
  const own = (plan["Actual Rows"] + removed) * plan["Actual Loops"];
  return (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), own);
}

const waiver = { kind: "not_applicable", scorecard: "security", reason: "a library", owner: "ann" };

test.each(engines)(
  "waivers of an area, and of all, have a limit on %s, of which those count that hold or are new",
  async (kind) => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    await makeKnown(service, { area: "full" }, { area: "other" });
    const ask = (area: string) => post(service, "/waivers", { ...waiver, area });
    const old = { created_at: inDays(-2), scorecard: "security" };
    await makeMany(service, maxWaivers.area, { ...old, area: "full", expires_at: inDays(-1) });
    await makeMany(service, maxWaivers.area - 2, { ...old, area: "full" });
    expect(await ask("full")).toMatchObject({ status: 201 });
    const last = await waive(service, { ...waiver, area: "full" });
    await revoke(service, last.id); // which does not make room at once
    const refusal = { status: 409, code: "too-many-waivers" };
    expectRefusal(await ask("full"), {
      ...refusal,
      message: /^the area "full" has 5,000 waivers .* a whole team or area/,
    });
    expect(await ask("other")).toMatchObject({ status: 201 });
    for (let area = 1; area < maxWaivers.all / maxWaivers.area; area++) {
      await makeMany(service, maxWaivers.area, { ...old, area: `area ${area}` });
    }
    expectRefusal(await ask("other"), { ...refusal, message: /^there are 50,000 waivers/ });
    expect((await readPage(service, "/audit", { action: "waiver.create" })).total).toBe(3);
  },
);
