import { expect, test } from "vitest";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";

test("two instances behind a balancer are restarted in turn, and no request fails", async (context) => {
  const { url } = await useOwnPostgres();
  const environment = { SHUTDOWN_GRACE_MS: "4000" };
  const scene = await useScene(context, { databaseUrl: url, instances: 2, balanced: true, environment });
  for (const instance of [...scene.instances, ...scene.instances]) {
    await scene.round(async () => {
      expect(await instance.stop()).toEqual({ code: 0, signal: null });
      await instance.start();
      await scene.inUse(instance);
    });
  }
  await scene.finish();
  expect(scene.refusals).toEqual([]);
  expect(scene.counts).toMatchObject({ broken: 0 });
  expect(scene.ledger.unacknowledged()).toEqual([]);
});
