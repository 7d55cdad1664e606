import { afterAll, beforeAll, expect, test } from "vitest";
import { recordRules } from "../src/policy/recorded.ts";
import { applyPolicy, noPolicy } from "../src/policy/rules.ts";
import { type Database, openDatabase } from "../src/store/database.ts";
import { readSnapshot } from "../src/store/lines.ts";
import { migrate } from "../src/store/migrate.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { type Replicated, startReplicated } from "./support/replica.ts";
import { saveScores } from "./support/save-scores.ts";
import { shippedEngine } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

let servers: Replicated;
let primary: Database;

beforeAll(async () => {
  servers = await startReplicated(undefined, ["-c", "max_standby_streaming_delay=0"]);
  primary = openDatabase(servers.url, 2);
  await migrate(primary);
  await recordRules(primary, applyPolicy(shippedEngine.scorecards, noPolicy), { actor: "test", file: undefined });
  await saveScores(primary.knex, [newScore({ metric: "secret_scan", score: 100, raw: { found: true } })]);
  await servers.caughtUp();
}, 120_000);

afterAll(async () => {
  await primary?.close();
  await servers?.stop();
});

test("a replay works on a replica that is all it gets, and with one beside the primary", async () => {
  for (const database of [openDatabase(servers.replicaUrl, 1), openDatabase(servers.url, 1, servers.replicaUrl)]) {
    expect(await runOn(database, ["replay"])).toContain("Of 1 scores 1 move: 0 up, 1 down.");
    await database.close();
  }
});

test("a replica that breaks the read off twice is named, though the settings do not call it one", async () => {
  const database = openDatabase(servers.replicaUrl, 1);
  let tries = 0;
  const read = readSnapshot(
    database,
    database.reads,
    async (lines) => {
      const all = async () => {
        for await (const _ of lines("SELECT target_id FROM scores")); // to its end
      };
      await all();
      await saveScores(primary.knex, [newScore({ app: `removed ${++tries}` })]);
      await query(
        servers.url,
        "DELETE FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE app LIKE 'removed %')",
      );
      await query(servers.url, "VACUUM scores");
      await servers.caughtUp();
      await all();
    },
    "none",
  );
  await expect(read).rejects.toThrow("the replica of the database cancelled the read twice");
  expect(tries).toBe(2);
  await database.close();
});
