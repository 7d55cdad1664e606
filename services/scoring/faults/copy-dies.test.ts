import { expect, test } from "vitest";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";

test("one of two copies dies, and the client tries both", async (context) => {
  const { url } = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: url, copies: 2 });
  for (const copy of [...scene.copies, ...scene.copies]) {
    await scene.round(async () => {
      await copy.kill();
      await scene.more("broken", 20);
      await scene.more("acknowledged", 20);
      await copy.start();
      await copy.listening();
    });
  }
  await scene.finish();
  expect(scene.ledger.unacknowledged()).toEqual([]);
});
