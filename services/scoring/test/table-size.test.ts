import { expect, test } from "vitest";
import { useOwnPostgres } from "../faults/support/own-postgres.ts";
import { query } from "./support/postgres.ts";
import { saveScores } from "./support/save-scores.ts";
import { useService } from "./support/service.ts";

const keys = 5_000;
const rewrites = 50;

test("after each key was rewritten 50 times the table is at most twice its fresh size", async () => {
  // A transaction of any database of a server keeps versions alive, and other tests have some that take long.
  const { url } = await useOwnPostgres();
  await query(url, "ALTER SYSTEM SET fsync = off"); // a slow disk would refuse writes
  await query(url, "SELECT pg_reload_conf()");
  const { database, databaseUrl } = await useService({ databaseUrl: url });
  const write = async (round: number) => {
    for (let first = 0; first < keys; first += 1_000) {
      const scores = Array.from({ length: 1_000 }, (_, index) => ({
        ...{ area: "area", team: `team-${index}`, app: `app-${first + index}`, env: "prod" },
        ...{ scorecard: "security", metric: "sast", score: (index + round) % 101, scorer: "test@1.0.0" },
        raw: { critical: round, high: index * round, medium: 12 },
      }));
      await saveScores(database.knex, scores);
    }
  };
  const size = async () =>
    Number((await query(databaseUrl, "SELECT pg_total_relation_size('scores') AS size")).rows[0].size);
  // What it does now and then would hide what writes do by themselves; and its ANALYZE keeps every version alive meanwhile.
  await query(databaseUrl, "ALTER TABLE scores SET (autovacuum_enabled = false)");
  await write(0);
  const fresh = await size();
  for (let round = 1; round <= rewrites; round++) await write(round);
  expect(await size()).toBeLessThanOrEqual(2 * fresh);
});
