import { test } from "vitest";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";

test("the service is killed and started again", async (context) => {
  const { url } = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: url });
  const [instance] = scene.instances;
  for (let round = 0; round < 5; round++) {
    await scene.round(async () => {
      await instance?.kill();
      await scene.more("broken", 20);
      await instance?.start();
    });
  }
  await scene.finish();
});
