import { rollUp, type ScoreRecord, type Target } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { labelSet } from "../src/model/label-set.ts";
import { saveScores } from "../src/store/scores.ts";
import { insertWaiver } from "../src/store/waivers.ts";
import { storedScores } from "./support/replay.ts";
import { createDatabase, engines, shippedEngine, type TestService, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

const labelsOf = ({ area, team, app, env }: Target) => labelSet({ area, team, app, env });

describe("the points by which changes of rules moved applications", () => {
  const series = async ({ server }: TestService, query = "") => {
    const { statusCode, payload } = await server.inject(`/metrics?collect[]=rules${query}`);
    expect(statusCode).toBe(200);
    return payload.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
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
    await database.knex.raw("UPDATE score_changes SET at = at - interval '25 hours'");
    expect(await series(service)).toEqual([]);
  });
});
