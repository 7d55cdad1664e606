import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { prune } from "../src/history/prune.ts";
import { readSections } from "../src/notifications/digest/sections.ts";
import { announceEnding } from "../src/waivers/announce-ending.ts";
import { campaign } from "./support/campaigns.ts";
import { ageScores, dueDay, missDays, rollUpsOf, writeDays } from "./support/days.ts";
import { newScore } from "./support/new-score.ts";
import { report } from "./support/problem-report.ts";
import { readPage } from "./support/reading.ts";
import { post } from "./support/requests.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";
import { inDays, listed, revoke, waive } from "./support/waivers.ts";

const cart = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const { signal } = new AbortController();

/** Stores waivers that are over, of a scorecard and of a kind of problem, some by their dates and some revoked. */
async function makeOver({ database }: TestService, count: number): Promise<void> {
  await database.background.raw(
    `INSERT INTO waivers (kind, application_id, env, scorecard, problem_type, reason, owner, requested_at, requested_by, decision,
       decided_at, decided_by, expires_at, revoked_at, revoked_by)
     SELECT 'accepted', (SELECT id FROM applications WHERE app = 'cart'), 'prod', what.scorecard, what.problem_type, 'none', 'ann', now() - interval '99 days', 'ann',
       'approved', now() - interval '99 days', 'ann', CASE WHEN number % 2 = 0 THEN now() - interval '3 days' END, CASE WHEN number % 2 = 1 THEN now() - interval '3 days' END,
       CASE WHEN number % 2 = 1 THEN 'ann' END
     FROM generate_series(1, ?::int / 2) AS number, (VALUES ('security', NULL), (NULL, 'leak')) AS what (scorecard, problem_type)`,
    [count],
  );
  await database.background.raw("ANALYZE waivers");
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Notes the statements that ask for waivers, from now on. */
function noteStatements(): ReadonlyMap<string, Statement> {
  const noted = new Map<string, Statement>();
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [asked, given] = args as [string | Partial<Statement>, unknown];
    const { text = "", values = Array.isArray(given) ? given : [] } =
      typeof asked === "string" ? { text: asked } : asked;
    const asks = /\b(?:FROM|JOIN) waivers(?:_by_name)?\b(?! WHERE id = )/.test(text);
    if (asks) noted.set(text, { text, values });
    return Reflect.apply(query, this, args);
  } as never);
  return noted;
}

/** The nodes of a plan. */
function* nodes(plan: Record<string, unknown>): Generator<Record<string, unknown>> {
  yield plan;
  for (const below of (plan.Plans ?? []) as Record<string, unknown>[]) yield* nodes(below);
}

async function planOf({ database }: TestService, { text, values }: Statement) {
  const select = text.replace(/^(?:COPY \(|DECLARE .* FOR )(.*?)(?:\) TO STDOUT.*)?$/s, "$1");
  const places = select.replace(/\?/g, "\\?").replace(/\$\d+/g, "?");
  const order = [...select.matchAll(/\$(\d+)/g)].map(([, place]) => values[Number(place) - 1]);
  const { rows } = await database.background.raw(`EXPLAIN (FORMAT JSON) ${places}`, order as never);
  return [...nodes(rows[0]["QUERY PLAN"][0].Plan)];
}

/** What asks for waivers that are in force, by the file that holds the statement. */
const askers: Readonly<Record<string, (service: TestService) => Promise<unknown>>> = {
  "rollups/waivers.ts": (service) => readPage(service, "/areas"), // before others that read roll-ups: they are kept for 15 s
  "store/waiver-changes.ts": (service) => waive(service, { area: "shop", scorecard: "reliability" }),
  "waivers/waivers-list.ts": async (service) => {
    await listed(service, "?area=shop&team=checkout");
    await service.server.inject({ url: "/waivers", headers: { accept: "text/csv" } });
  },
  "reading/scores.ts": (service) => readPage(service, "/scores", { waived: "false" }),
  "reading/problems.ts": (service) => readPage(service, "/problems"),
  "exposition/waiver-samples.ts": (service) => service.server.inject("/metrics?collect[]=waivers"),
  "history/past-scores.ts": async (service) => {
    await readPage(service, "/changes", { since: await dueDay(service.database.knex, 1) });
    await missDays(service.database.knex, 1);
    await writeDays(service.database);
  },
  "notifications/digest/sections.ts": ({ database }) =>
    readSections(
      { database, engine: shippedEngine, historyDays: 400 },
      { since: new Date(Date.now() - 86_400_000), until: new Date() },
    ),
  "campaigns/goal-problems.ts": async (service) => {
    const { id } = await campaign(service, { goal: { no_open_problems: ["high"] } });
    await readPage(service, `/campaigns/${id}/members`);
  },
  "waivers/announce-ending.ts": ({ database, notifications }) => announceEnding(database, notifications.facts),
  "notifications/silenced.ts": (service) => report(service, { ...cart, problem_type: "leak", count: 2 }),
};

test("every file that asks what is in force is among those that are looked at", () => {
  const source = join(import.meta.dirname, "../src");
  const asking = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      /\b(?:inForceNow|inForceAt|scoreWaivers|isProblemWaived|isScoreWaived)\b/.test(
        readFileSync(join(source, file), "utf8"),
      ) &&
      file !== "store/waivers.ts", // which only says what is in force
  );
  expect(asking.sort()).toEqual(Object.keys(askers).sort());
});

test("every statement that asks what is in force finds it by an index among waivers that are over", async () => {
  const service = await useService({
    chat: { token: "xoxb-none", apiUrl: "http://127.0.0.1:9", defaultChannel: "#x" },
  });
  await saveScores(service.database.knex, [newScore(cart)]);
  await post(service, "/problem/scan-result", { ...cart, problem_type: "leak", severity: "high", count: 1 });
  await ageScores(service.database.knex, 5);
  await makeOver(service, 20_000);
  const noted = noteStatements();
  for (const [file, ask] of Object.entries(askers)) {
    const before = noted.size;
    await ask(service);
    expect(noted.size, file).toBeGreaterThan(before);
  }
  for (const statement of [...noted.values()]) {
    const plan = await planOf(service, statement);
    const scans = plan.filter((node) => node["Relation Name"] === "waivers");
    expect(scans.length, statement.text).toBeGreaterThan(0);
    expect(
      scans.filter((node) => node["Node Type"] === "Seq Scan"),
      statement.text,
    ).toEqual([]);
    const conditions = plan.map((node) => String(node["Index Cond"] ?? "")).join();
    expect(conditions, statement.text).toContain("ends_at");
  }
});

test.each(engines)(
  "what has been over for longer than history is kept is deleted on %s, and nothing else",
  async (kind) => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { knex } = service.database;
    const made = async (scorecard: string, row: Readonly<Record<string, number>>) => {
      const { id } = await waive(service, { area: "shop", scorecard, expires_at: inDays(300) });
      const times = Object.entries(row).map(([column, days]) => [column, inDays(days)]);
      if ("revoked_at" in row) await revoke(service, id);
      await knex("waivers")
        .where({ id })
        .update({ requested_at: inDays(-900), decided_at: inDays(-900), ...Object.fromEntries(times) });
      return id;
    };
    const asked = async (requested: number, decided?: number) => {
      const { id } = await waive(service, { area: "shop", scorecard: "security", state: "requested" });
      const decision = decided && { decision: "rejected", decided_at: inDays(decided), decided_by: "office" };
      await knex("waivers")
        .where({ id })
        .update({ requested_at: inDays(requested), ...decision });
      return id;
    };
    const old = [
      await asked(-62),
      await asked(-40, -31),
      await made("security", { expires_at: -31 }),
      await made("security", { revoked_at: -31 }),
      await made("security", { expires_at: -1, revoked_at: -31 }),
    ];
    const young = [
      await asked(-59),
      await asked(-40, -29),
      await asked(0),
      await made("security", { expires_at: -29 }),
      await made("security", { revoked_at: -29 }),
      await made("reliability", {}),
    ];
    const found = async () => (await listed(service, "?all=true")).map(({ id }) => id).sort();
    await prune(service.database, { historyDays: 0, signal });
    expect(await found()).toEqual([...old, ...young].sort());
    await prune(service.database, { historyDays: 31, signal });
    expect(await found()).toEqual(young.sort());
  },
);

test.each(engines)("days that are recorded after that are as before on %s", async (kind) => {
  const historyDays = 5;
  const days = async (isPruned: boolean) => {
    const service = await useService({ databaseUrl: await createDatabase(kind), historyDays });
    const { knex } = service.database;
    await saveScores(knex, [
      newScore({ ...cart, metric: "dast", score: 40 }),
      newScore({ ...cart, metric: "sast", score: 80 }),
    ]);
    await ageScores(knex, 30);
    const { id } = await waive(service, { area: "shop", scorecard: "security", metric: "sast", expires_at: inDays(9) });
    // It ends within the first moment of the oldest day that is kept, a moment later and long before.
    for (const end of ["interval '0'", "interval '1 millisecond'", "interval '-1 millisecond'", "interval '-9 days'"]) {
      await knex.raw(
        `INSERT INTO waivers (kind, area, scorecard, metric, reason, owner, requested_at, requested_by, decision, decided_at, decided_by, expires_at)
         SELECT kind, area, scorecard, metric, reason, owner, requested_at, requested_by, decision, created_at - interval '99 days', decided_by,
           (?::date)::timestamp AT TIME ZONE 'UTC' + ${end}
         FROM waivers WHERE id = ?::uuid`,
        [await dueDay(knex, historyDays - 1), id],
      );
    }
    await knex("waivers").where({ id }).delete();
    if (isPruned) await prune(service.database, { historyDays, signal });
    expect(await listed(service, "?all=true")).toHaveLength(isPruned ? 2 : 4);
    await missDays(knex, historyDays);
    await writeDays(service.database, { historyDays });
    return Promise.all(
      Array.from({ length: historyDays }, async (_, before) => rollUpsOf(knex, await dueDay(knex, before))),
    );
  };
  const recorded = await days(false);
  expect(new Set(recorded.map((of) => JSON.stringify(of))).size).toBeGreaterThan(1);
  expect(await days(true)).toEqual(recorded);
});
