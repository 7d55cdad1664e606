import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Replay } from "../src/replay/replay.ts";
import type { Database } from "../src/store/database.ts";
import type { NewScore } from "../src/store/new-score.ts";
import { type ScoreToReplay, scoresToReplay, writeReplayed } from "../src/store/replayed-scores.ts";
import { exportRows } from "../src/transfer/export.ts";
import { importRows } from "../src/transfer/import.ts";
import { historyFaults } from "./support/changes.ts";
import { useHolder } from "./support/holder.ts";
import { newScore } from "./support/new-score.ts";
import { readAll } from "./support/reading.ts";
import { scoreOrCode, storedScores } from "./support/replay.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

const rows =
  "SELECT labels, score::float8, scorer, reported_at, pipeline_id, changed_by FROM scores_by_name ORDER BY labels";

async function dryRun(database: Database): Promise<Replay> {
  return JSON.parse(await runOn(database, ["replay", "--format", "json"]));
}

async function firstPage({ knex }: Database): Promise<readonly ScoreToReplay[]> {
  for await (const page of scoresToReplay(knex, {})) return page;
  return [];
}

const found = { found: true };
const old = (changes: Partial<NewScore>) => newScore({ metric: "secret_scan", score: 40, raw: found, ...changes });

describe.each(engines)("on %s", (kind) => {
  test("writes what was shown, with the cause rules, and keeps the times of reports; a second run has nothing to do", async () => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { database } = service;
    const scores = storedScores(7);
    await saveScores(database.knex, scores);
    const { rows: before } = await database.knex.raw(rows);
    const said = await dryRun(database);
    expect(JSON.parse(await runOn(database, ["replay", "--apply", "--format", "json"])).scores).toEqual(said.scores);
    const { rows: after } = await database.knex.raw(rows);
    expect(after.map(({ reported_at }: { reported_at: Date }) => reported_at)).toEqual(
      before.map(({ reported_at }: { reported_at: Date }) => reported_at),
    );
    const { rows: stored } = await database.knex.raw(
      "SELECT scorecard, metric, raw, score::float8, scorer, changed_by FROM scores_by_name",
    );
    for (const one of stored) {
      const today = scoreOrCode(shippedEngine, one);
      if (typeof today === "number") expect(one.score).toBe(today);
      else expect(one.scorer).toBe("@maturity/old@0.0.1");
    }
    const written = said.scores.other_scorer;
    expect(written).toBeGreaterThan(100);
    expect(stored.filter(({ changed_by }: { changed_by: string }) => changed_by === "rules")).toHaveLength(written);
    expect((await database.knex.raw(historyFaults)).rows).toEqual([]);
    expect((await dryRun(database)).scores).toMatchObject({ moved: 0, other_scorer: 0, refused: said.scores.refused });

    await runOn(database, ["replay", "--apply"]);
    expect((await database.knex.raw(rows)).rows).toEqual(after);
    const audit = await readAll<{ action: string; details: object }>(service, "/audit", 100);
    expect(audit.filter(({ action }) => action === "replay.apply").map(({ details }) => details)).toEqual([
      expect.objectContaining({ phase: "end", written, left: 0 }),
      expect.objectContaining({ phase: "begin", scorers: said.scorers }),
    ]);
    expect((await database.knex.raw("SELECT count(*)::int AS alerts FROM notifications")).rows).toEqual([
      { alerts: 0 },
    ]);
  });

  test("says of a replay that was killed that it has no end, and ends it", async () => {
    const { database } = await useService({ databaseUrl: await createDatabase(kind) });
    await saveScores(database.knex, [old({})]);
    const apply = async () => {
      const stderr = new PassThrough();
      await runOn(database, ["replay", "--apply"], { stderr });
      return String(stderr.read());
    };
    expect(await apply()).toBe("Scores written: 1.\n");
    // What a kill between the last page and the end leaves.
    await database.knex.raw("DELETE FROM audit WHERE details->>'phase' = 'end'");
    expect(await apply()).toMatch(
      /^The replay that maturity-service \(.+\) began at \S+Z has no end in the audit: .*\nScores written: 0\.\n$/,
    );
    const { rows } = await database.knex.raw(
      "SELECT id, details->>'phase' AS phase, details->'unended' AS unended FROM audit ORDER BY id",
    );
    expect(rows.map(({ phase }: { phase: string }) => phase)).toEqual(["begin", "end"]);
    expect(String(rows[1].unended)).toBe(String(rows[0].id));
    expect(await apply()).toBe("Scores written: 0.\n");
  });

  test("leaves what was reported, retired or replayed since it was read, and writes what moved", async () => {
    const { database, server } = await useService({ databaseUrl: await createDatabase(kind) });
    const apps = ["still", "reported", "same", "moved", "retired", "replayed"];
    await saveScores(
      database.knex,
      apps.map((app) => old({ app })),
    );
    const page = await firstPage(database);
    expect(page).toHaveLength(apps.length);
    const today = { score: 0, scorer: "test@2.0.0" };
    await saveScores(database.knex, [old({ app: "reported", score: 41, raw: { found: false } })]);
    await saveScores(database.knex, [old({ app: "same" })]);
    const name = (app: string) => ({ area: "area", team: "team", app });
    const post = (url: string, payload: object) => server.inject({ method: "POST", url, payload });
    expect((await post("/apps/move", { from: name("moved"), to: name("new") })).statusCode).toBe(200);
    expect((await post("/apps/retire", { ...name("retired"), reason: "gone" })).statusCode).toBe(200);
    const [ofReplayed] = (await database.knex.raw("SELECT target_id FROM scores_by_name WHERE app = 'replayed'")).rows;
    const write = (rows: readonly ScoreToReplay[], score: number) =>
      writeReplayed(
        database.knex,
        rows.map((row) => ({ row, ...today, score })),
        true,
      );
    expect(
      await write(
        page.filter(({ target_id }) => target_id === ofReplayed.target_id),
        33,
      ),
    ).toBe(1);
    expect(await write(page, 0)).toBe(2);
    const { rows } = await database.knex.raw("SELECT app, score::float8 FROM scores_by_name ORDER BY app");
    expect(rows).toEqual([
      { app: "new", score: 0 },
      { app: "replayed", score: 33 },
      { app: "reported", score: 41 },
      { app: "same", score: 40 },
      { app: "still", score: 0 },
    ]);
    expect((await post("/apps/restore", name("retired"))).statusCode).toBe(200);
    const restored = "SELECT score::float8 FROM scores_by_name WHERE app = 'retired'";
    expect((await database.knex.raw(restored)).rows).toEqual([{ score: 40 }]);
    expect((await database.knex.raw(historyFaults)).rows).toEqual([]);
  });
});

test("history and changes show it as rules, an import takes it over, and a later report goes on from it", async () => {
  const service = await useService();
  const { database, server } = service;
  const key = { area: "area", team: "team", app: "app", env: "prod", scorecard: "security", metric: "secret_scan" };
  await saveScores(database.knex, [old({})]);
  await database.knex.raw(
    "UPDATE scores SET reported_at = now() - interval '50 days', changed_at = now() - interval '50 days'",
  );
  await database.knex.raw("UPDATE score_changes SET at = (SELECT changed_at FROM scores_by_name)");
  await runOn(database, ["replay", "--apply"]);
  const history = () => readAll<object>(service, `/history?${new URLSearchParams(key)}`, 10);
  const byRules = { score: 0, scorer: expect.stringContaining("@maturity/security@"), cause: "rules" };
  expect(await history()).toContainEqual(expect.objectContaining(byRules));
  const [change] = await readAll(service, "/changes", 10);
  expect(change).toMatchObject({ score_since: 40, score: 0, causes: { report: 0, rules: -40, move: 0 } });

  const other = await useService();
  const options = { actor: "test", scorecards: [], hasHistory: true, unregistered: "accept" } as const;
  await importRows(other.database, exportRows(database), options);
  const columns = "SELECT score, scorer, reported_at, changed_at, former_score, changed_by FROM scores_by_name";
  expect((await other.database.knex.raw(columns)).rows).toEqual((await database.knex.raw(columns)).rows);

  const { statusCode } = await server.inject({
    method: "POST",
    url: "/score",
    payload: { ...key, raw: { found: false } },
  });
  expect(statusCode).toBe(200);
  expect((await database.knex.raw(historyFaults)).rows).toEqual([]);
});

test("it waits for no row that somebody holds, and says that it is left", async () => {
  const { database, databaseUrl } = await useService();
  await saveScores(database.knex, [old({ app: "free" }), old({ app: "held" })]);
  const holder = await useHolder(
    databaseUrl,
    "SELECT FROM scores WHERE target_id = (SELECT target_id FROM scores_by_name WHERE app = 'held') FOR UPDATE",
  );
  await expect(runOn(database, ["replay", "--apply"])).rejects.toThrow(
    /^1 scores are being reported by instances .* or are locked; .* run it again$/,
  );
  const scores = "SELECT app, score::float8 FROM scores_by_name ORDER BY app";
  expect((await database.knex.raw(scores)).rows).toEqual([
    { app: "free", score: 0 },
    { app: "held", score: 40 },
  ]);
  await holder.end("ROLLBACK");
  await runOn(database, ["replay", "--apply"]);
  expect((await database.knex.raw(scores)).rows).toEqual([
    { app: "free", score: 0 },
    { app: "held", score: 0 },
  ]);
});

test("filters hold for what is written, --max-drop keeps everything from being written, and HISTORY_DAYS=0 records nothing", async () => {
  const { database } = await useService();
  await saveScores(
    database.knex,
    ["a", "b"].flatMap((app) => [old({ app }), old({ app, metric: "dast", raw: { high: 0, medium: 0 } })]),
  );
  const scores = async () =>
    (await database.knex.raw("SELECT app, metric, score::float8 FROM scores_by_name ORDER BY app, metric")).rows.map(
      Object.values,
    );
  await expect(runOn(database, ["replay", "--apply", "--metric", "secret_scan", "--max-drop", "1"])).rejects.toThrow(
    "--max-drop allows 1",
  );
  expect((await scores()).map((row: unknown[]) => row[2])).toEqual([40, 40, 40, 40]);
  await database.knex.raw("DELETE FROM score_changes");
  await runOn(database, ["replay", "--apply", "--metric", "security.dast", "--app", "b"], {
    env: { HISTORY_DAYS: "0" },
  });
  expect(await scores()).toEqual([
    ["a", "dast", 40],
    ["a", "secret_scan", 40],
    ["b", "dast", 100],
    ["b", "secret_scan", 40],
  ]);
  expect((await database.knex.raw("SELECT FROM score_changes")).rows).toHaveLength(0);
});
