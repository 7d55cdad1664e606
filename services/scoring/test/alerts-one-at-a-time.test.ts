import { expect, test } from "vitest";
import { oneAtATime } from "../src/store/one-at-a-time.ts";
import { createDatabase, engines, useService } from "./support/service.ts";

test.each(engines)("on %s each of many transactions sees what those before it did", async (kind) => {
  const databaseUrl = await createDatabase(kind);
  const services = [await useService({ databaseUrl })];
  if (kind === "postgres") services.push(await useService({ databaseUrl }));
  const pools = services.map(({ database }) => database.background);
  await pools[0]?.raw("CREATE TABLE counter AS SELECT 0 AS value");
  const count = (pool: (typeof pools)[number]) =>
    oneAtATime(pool, async (trx) => {
      const { rows } = await trx.raw("SELECT value FROM counter");
      await trx.raw("UPDATE counter SET value = ?::int", [rows[0].value + 1]);
    });
  await Promise.all(Array.from({ length: 30 }, () => pools.map(count)).flat());
  const { rows } = (await pools[0]?.raw("SELECT value FROM counter")) ?? {};
  expect(rows).toEqual([{ value: 30 * pools.length }]);
});

test("a transaction that fails leaves the turn to the next one, and nothing behind", async () => {
  const { database } = await useService();
  const failed = oneAtATime(database.background, async (trx) => {
    await trx.raw("CREATE TABLE counter AS SELECT 0 AS value");
    throw new Error("in the middle");
  });
  await expect(failed).rejects.toThrow("in the middle");
  const exists = oneAtATime(database.background, (trx) => trx.raw("SELECT to_regclass('counter') AS table"));
  expect((await exists).rows).toEqual([{ table: null }]);
});

test("a process that is cut off in the middle does not hold up the others for long", async () => {
  const databaseUrl = await createDatabase("postgres");
  const [one, other] = [await useService({ databaseUrl }), await useService({ databaseUrl })];
  const begun = Promise.withResolvers<void>();
  const cutOff = Promise.withResolvers<void>();
  const stuck = oneAtATime(one.database.background, () => {
    begun.resolve();
    return cutOff.promise;
  });
  const failed = expect(stuck).rejects.toThrow();
  await begun.promise;
  await oneAtATime(other.database.background, async () => {});
  cutOff.resolve();
  await failed;
});
