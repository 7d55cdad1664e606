import { rollUp, type Scorecard, type ScoreRecord, type Target } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { labelSet } from "../src/model/label-set.ts";
import { recordedOf } from "../src/policy/recorded.ts";
import { insertWaiver } from "../src/store/waivers.ts";
import { storedScores } from "./support/replay.ts";
import { saveScores } from "./support/save-scores.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

const labelsOf = ({ area, team, app, env }: Target) => labelSet({ area, team, app, env });

describe("the points by which changes of rules moved applications", () => {
  const series = async ({ server }: TestService, query = "") => {
    const { statusCode, payload } = await server.inject(`/metrics?collect[]=rules${query}`);
    expect(statusCode).toBe(200);
    const lines = payload.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return lines.sort();
  };

  test.each(engines)("are those by which the roll-ups moved, for a day and an hour, on %s", async (kind) => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { database } = service;
    const scores = storedScores(11);
    await saveScores(database.knex, scores);
    await insertWaiver(
      database.knex,
      { kind: "not_applicable", area: String(scores[0]?.area), scorecard: "security", reason: "none", owner: "ann" },
      "test",
    );
    expect(await series(service)).toEqual([]);
    const rollUps = async () => {
      const { rows } = await database.knex.raw("SELECT * FROM scores");
      const { rows: waivers } = await database.knex.raw("SELECT * FROM waivers");
      const records = rows.map((row: ScoreRecord) => ({ ...row, score: Number(row.score) }));
      const { apps } = rollUp(shippedEngine.scorecards, records, new Date(), waivers);
      return new Map(apps.map(({ score, ...one }) => [labelsOf(one), score]));
    };
    const before = await rollUps();
    await runOn(database, ["replay", "--apply"]);
    const after = await rollUps();
    const moved = new Map([...after].map(([app, score]) => [app, score - (before.get(app) ?? Number.NaN)]));
    const told = await series(service);
    expect(told.length).toBeGreaterThan(10);
    for (const line of told) {
      const [, labels = "", points] = /^maturity_app_score_change_by_rules(\{.*\}) (\S+)$/.exec(line) ?? [];
      expect(Number(points), line).toBeCloseTo(moved.get(labels) ?? Number.NaN, 5);
      moved.delete(labels);
    }
    for (const [labels, points] of moved) expect(points, labels).toBeCloseTo(0, 9);
    expect(await series(service, "&env=staging")).toEqual(told.filter((line) => line.includes('env="staging"')));
    await database.knex.raw("DELETE FROM score_changes"); // as HISTORY_DAYS=0 has it
    expect(await series(service)).toEqual(told);
    await database.knex.raw("UPDATE scores SET changed_at = changed_at - interval '25 hours'");
    expect(await series(service)).toEqual([]);
  });

  test.each(engines)("go with the hours, on %s", async (kind) => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { database } = service;
    await saveScores(database.knex, storedScores(11));
    await runOn(database, ["replay", "--apply"]);
    expect((await series(service)).length).toBeGreaterThan(10);
    await database.knex.raw("UPDATE score_changes SET at = at - interval '25 hours'");
    expect(await series(service)).toEqual([]);
  });

  test.each(engines)("are those of other weights and another package too, on %s", async (kind) => {
    const service = await useService({ databaseUrl: await createDatabase(kind) });
    const { database } = service;
    await saveScores(database.knex, storedScores(12));
    const { scorecards } = shippedEngine;
    const [security, reliability] = scorecards;
    if (!security || !reliability) throw new Error("two scorecards are needed");
    const former = [
      {
        ...security,
        weight: 5,
        metrics: security.metrics.map((metric, index) => ({ ...metric, weight: 1 + index * 9 })),
      },
      reliability,
    ];
    const record = (cards: readonly Scorecard[], hoursAgo: number) =>
      database.knex.raw(
        "INSERT INTO policies (policy, loaded_at) VALUES (?::jsonb, now() - ?::int * interval '1 hour')",
        [JSON.stringify(recordedOf({ scorecards: cards, levels: [] })), hoursAgo],
      );
    const scoresBy = async (cards: readonly Scorecard[]) => {
      const { rows } = await database.knex.raw("SELECT * FROM scores");
      const records = rows.map((row: ScoreRecord) => ({ ...row, score: Number(row.score) }));
      return new Map(rollUp(cards, records, new Date()).apps.map(({ score, ...app }) => [labelsOf(app), score]));
    };
    await database.knex.raw("DELETE FROM policies");
    expect(await series(service)).toEqual([]);
    await record([security], 60);
    await record(former, 30);
    await record(scorecards, 2);

    const before = await scoresBy(former);
    await runOn(database, ["replay", "--apply"]);
    const told = new Map(
      (await series(service)).map((line) => [/\{.*\}/.exec(line)?.[0], Number(line.split(" ").at(-1))]),
    );
    const after = await scoresBy(scorecards);
    expect(told.size).toBeGreaterThan(20);
    for (const [labels, score] of after) {
      const was = before.get(labels);
      if (was === undefined) expect(told.has(labels), labels).toBe(false);
      else expect(told.get(labels) ?? 0, labels).toBeCloseTo(score - was, 5);
    }

    await database.knex.raw("UPDATE score_changes SET at = at - interval '25 hours'");
    await database.knex.raw("UPDATE policies SET loaded_at = loaded_at - interval '25 hours'");
    expect(await series(service)).toEqual([]);
  });

  test("are none where the weights of then are not known, and those of the first start where it was within the day", async () => {
    const service = await useService();
    const { database } = service;
    await saveScores(database.knex, storedScores(13));
    await database.knex.raw("DELETE FROM policies");
    expect(await series(service)).toEqual([]);
    const [security] = shippedEngine.scorecards;
    if (!security) throw new Error("a scorecard is needed");
    await database.knex.raw("INSERT INTO policies (policy) VALUES (?::jsonb)", [
      JSON.stringify(recordedOf({ scorecards: [security], levels: [] })),
    ]);
    expect((await series(service)).length).toBeGreaterThan(5);
  });
});
