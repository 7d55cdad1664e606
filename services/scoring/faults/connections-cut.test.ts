import { setTimeout as sleep } from "node:timers/promises";
import { type TestContext, test } from "vitest";
import { freePort } from "../test/support/postgres.ts";
import { type TcpProxy, useTcpProxy } from "../test/support/tcp-proxy.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { type Scene, useScene } from "./support/scene.ts";

/** A service that reaches its database through a proxy. */
async function useProxied(context: TestContext): Promise<{ scene: Scene; proxy: TcpProxy }> {
  const { url } = await useOwnPostgres();
  const proxy = useTcpProxy(url, await freePort());
  await proxy.open();
  return { proxy, scene: await useScene(context, { databaseUrl: url, serviceUrl: proxy.url }) };
}

test("all connections to the database are cut once", async (context) => {
  const { scene, proxy } = await useProxied(context);
  for (let round = 0; round < 5; round++) await scene.round(async () => proxy.cut());
  await scene.finish();
});

test("all connections to the database are cut again and again", async (context) => {
  const { scene, proxy } = await useProxied(context);
  for (const everyMs of [20, 50, 200]) {
    await scene.round(async () => {
      for (const end = Date.now() + 3_000; Date.now() < end; await sleep(everyMs)) proxy.cut();
    });
  }
  await scene.finish();
});

test("the database cannot be reached for a while", async (context) => {
  const { scene, proxy } = await useProxied(context);
  for (let round = 0; round < 3; round++) {
    await scene.round(async () => {
      await proxy.shut();
      await scene.more("refused", 20);
      await proxy.open();
    });
  }
  await scene.finish();
});
