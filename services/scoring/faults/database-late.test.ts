import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { onTestFinished, test } from "vitest";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";

/** Longer than the 5 s that a write may take. */
const lockMs = 8_000;

test.for([
  ["the database answers late: its tables are locked", "10"],
  ["the database answers late, and connections are few", "3"],
] as const)("%s", async ([_, connections], context) => {
  const { url } = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: url, environment: { DATABASE_POOL_MAX: connections } });
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  for (let round = 0; round < 3; round++) {
    await scene.round(async () => {
      await holder.query("BEGIN; LOCK TABLE scores, problems IN ACCESS EXCLUSIVE MODE");
      await sleep(lockMs);
      await holder.query("COMMIT");
    });
  }
  await scene.finish();
});
