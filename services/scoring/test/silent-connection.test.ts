import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { endWhenSilent, type OpenClient } from "../src/store/connection.ts";
import { createDatabase } from "./support/service.ts";

const silenceMs = 50;

async function useClient(): Promise<OpenClient> {
  const client = new pg.Client(await createDatabase("postgres")) as OpenClient;
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end().catch(() => {}));
  endWhenSilent(client, silenceMs);
  return client;
}

test("a connection that was idle so long is kept, also where it is used at that very moment", async () => {
  const client = await useClient();
  const { stream } = client.connection;
  for (let time = 0; time < 3; time++) {
    await once(stream, "timeout");
    expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  }
  await once(stream, "timeout");
  await turn();
  expect(stream.destroyed).toBe(false);
});

test("a connection whose answer is due so long is closed", async () => {
  const client = await useClient();
  await expect(client.query("SELECT pg_sleep(600)")).rejects.toThrow("Connection terminated");
  expect(client.connection.stream.destroyed).toBe(true);
});
