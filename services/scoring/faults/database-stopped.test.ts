import { test } from "vitest";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";

test("PostgreSQL is stopped in immediate mode and started again", async (context) => {
  const postgres = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: postgres.url });
  for (let round = 0; round < 5; round++) {
    await scene.round(async () => {
      await postgres.stopHard();
      await scene.more("refused", 20);
      await postgres.start();
    });
  }
  await scene.finish();
});
