import { expect, test } from "vitest";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";

test("one of two instances dies, and the client tries both", async (context) => {
  const { url } = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: url, instances: 2 });
  for (const instance of [...scene.instances, ...scene.instances]) {
    await scene.round(async () => {
      await instance.kill();
      await scene.more("broken", 20);
      await scene.more("acknowledged", 20);
      await instance.start();
      await instance.listening();
    });
  }
  await scene.finish();
  expect(scene.ledger.unacknowledged()).toEqual([]);
});
