import { test } from "vitest";
import { hostileBodies } from "./support/hostile-bodies.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { expectUnharmed, useScene } from "./support/scene.ts";

test("hostile bodies come beside the load", async (context) => {
  const { url } = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: url });
  const [address] = scene.instances.map((instance) => instance.address);
  for (let round = 0; round < 3; round++) {
    await scene.round(async () => {
      for (const [path, body] of hostileBodies) {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(`${address}${path}`, { method: "POST", headers, body });
        const text = await answer.text();
        context.expect(answer.status, `${path} ${body.slice(0, 100)}`).toBe(400);
        context.expect(text.length).toBeLessThan(150_000);
      }
    });
  }
  await scene.finish();
  expectUnharmed(scene);
});
