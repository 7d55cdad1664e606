import { describe, expect, test } from "vitest";
import type { Database } from "../src/store/database.ts";
import { migrate } from "../src/store/migrate.ts";
import { type Migration, migrations } from "../src/store/migrations/index.ts";
import { createEmptyDatabase, useDatabase } from "./support/empty-database.ts";
import { useOtherMigration } from "./support/other-migration.ts";
import { report } from "./support/problem-report.ts";
import { post } from "./support/requests.ts";
import { engines, type TestService, useService } from "./support/service.ts";

/** Puts a row into each table. */
async function fill(service: TestService): Promise<void> {
  const key = { area: "shop", team: "checkout", app: 'ca"rt\\', env: "prod" };
  const raw = { critical: 0, high: 5, medium: 0 };
  const { status } = await post(service, "/score", { ...key, scorecard: "security", metric: "image_scan", raw });
  expect([status, (await report(service)).status]).toEqual([200, 200]);
}

async function applied({ knex }: Database): Promise<string[]> {
  return knex("knex_migrations").orderBy("id").pluck("name");
}

/** Columns by name: their type. */
async function columns({ knex }: Database, table: string): Promise<Record<string, string>> {
  const { rows } = await knex.raw(
    `
    SELECT attname, format_type(atttypid, atttypmod) AS type
    FROM pg_attribute
    WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped
    `,
    [table],
  );
  return Object.fromEntries(rows.map(({ attname, type }: { attname: string; type: string }) => [attname, type]));
}

test("of ten processes that migrate an empty database at once one does it, and the others find it done", async () => {
  const url = await createEmptyDatabase("postgres");
  const databases = Array.from({ length: 10 }, () => useDatabase(url));
  await Promise.all(databases.map((database) => migrate(database)));
  for (const database of databases) expect(await applied(database)).toEqual(migrations.map(({ name }) => name));
});

test("a migration of another process is waited for, however long it takes", async () => {
  const url = await createEmptyDatabase("postgres");
  const other = await useOtherMigration(url);
  const database = useDatabase(url);
  let waits = 0;
  const migrated = migrate(database, () => waits++);
  await other.awaitedBy(1);
  expect(waits).toBe(1);
  await other.finish();
  await migrated;
  expect(await applied(database)).toEqual(migrations.map(({ name }) => name));
});

test("who finds nobody at it does not wait", async () => {
  const waits: string[] = [];
  await migrate(useDatabase(await createEmptyDatabase("postgres")), () => waits.push("waited"));
  expect(waits).toEqual([]);
});

describe.each(engines)("the schema on %s", (kind) => {
  test("migrating twice changes nothing, and rows that are there stay as they are", async () => {
    const service = await useService({ databaseUrl: await createEmptyDatabase(kind) });
    const { database } = service;
    await fill(service);
    const rows = async () => [await database.knex("scores"), await database.knex("problems")];
    const before = await rows();
    expect(before).toMatchObject([[{ score: "50.00", raw: { high: 5 } }], [{ count: 2, severity: "high" }]]);
    await migrate(database);
    expect(await applied(database)).toEqual(migrations.map(({ name }) => name));
    expect(await rows()).toEqual(before);
  });

  test("a later migration changes the tables that are there, with the rows in them", async () => {
    const service = await useService({ databaseUrl: await createEmptyDatabase(kind) });
    const { database } = service;
    await fill(service);
    const note = async (knex: Database["knex"]) =>
      void (await knex.raw("ALTER TABLE scores ADD COLUMN note text NOT NULL DEFAULT 'none'"));
    const added = [...migrations, { name: "901-notes", worksFrom: "001-first-schema", up: note }];
    await migrate(database, undefined, added);
    expect(await applied(database)).toEqual([...migrations.map(({ name }) => name), "901-notes"]);
    expect(await database.knex("scores")).toMatchObject([{ score: "50.00", note: "none" }]);
    expect((await report(service)).status).toBe(200);
  });

  test("changed by a newer version it is refused by the names of its changes, and left as it is", async () => {
    const database = useDatabase(await createEmptyDatabase(kind));
    await migrate(database);
    await database.knex("knex_migrations").insert([{ name: "901-teams" }, { name: "902-levels" }]);
    await database
      .knex("knex_migrations")
      .where({ name: migrations.at(-1)?.name })
      .delete();
    const before = await applied(database);
    await expect(migrate(database)).rejects.toMatchObject({
      message: expect.stringMatching(/newer version .* \(901-teams, 902-levels\).*; run that version/),
    });
    expect(await applied(database)).toEqual(before);
  });

  test("changed by a newer version it is left as it is by each version that works on it, and refused by the others", async () => {
    const database = useDatabase(await createEmptyDatabase(kind));
    const later = (name: string, worksFrom: string): Migration => ({
      name,
      worksFrom,
      up: async (knex) => void (await knex.raw(`CREATE TABLE "${name}" (id int)`)),
    });
    const [today] = migrations.slice(-1) as [Migration];
    const added = [...migrations, later("901-teams", today.name)];
    const more = [...added, later("902-levels", "901-teams")];
    const start = (known: readonly Migration[]) => migrate(database, undefined, known);
    const names = (known: readonly Migration[]) => known.map(({ name }) => name);

    await start(migrations);
    await start(added);
    await Promise.all([start(migrations), start(added), start(migrations)]);
    expect(await applied(database)).toEqual(names(added));

    await start(more);
    await start(added);
    expect(await applied(database)).toEqual(names(more));
    await expect(start(migrations)).rejects.toMatchObject({
      message: expect.stringMatching(/newer version .* \(901-teams, 902-levels\), and this one does not work on it/),
    });
    // A migration that needs less does not take back what an earlier one needs.
    await start([...more, later("903-notes", today.name)]);
    await expect(start(migrations)).rejects.toThrow(/newer version .* does not work on it/);
    await start(added);
  });

  test("the views of scores and problems have the columns a BI tool reads, under the names of the API", async () => {
    const database = useDatabase(await createEmptyDatabase(kind));
    await migrate(database);
    const target = { area: "text", team: "text", app: "text", env: "text" };
    expect(await columns(database, "scores_by_name")).toMatchObject({
      ...target,
      scorecard: "text",
      metric: "text",
      score: "numeric(5,2)",
      raw: "jsonb",
      scorer: "text",
      pipeline_id: "text",
      project_repo: "text",
      reported_at: "timestamp with time zone",
    });
    expect(await columns(database, "problems_by_name")).toMatchObject({
      ...target,
      problem_type: "text",
      severity: "text",
      count: "integer",
      details: "jsonb",
      chat_channel: "text",
      reported_at: "timestamp with time zone",
    });
  });

  test("names of 200 characters of four bytes each fit into every index", async () => {
    const service = await useService({ databaseUrl: await createEmptyDatabase(kind) });
    const name = (seed: number) =>
      Array.from({ length: 200 }, (_, index) =>
        String.fromCodePoint(0x20_000 + ((seed * 7_919 + index * 6_007) % 40_000)),
      );
    const [area, team, app, env, type] = [1, 2, 3, 4, 5].map((seed) => name(seed).join(""));
    const target = { area, team, app, env };
    const raw = { critical: 0, high: 5, medium: 0 };
    const score = { ...target, scorecard: "security", metric: "image_scan", raw };
    const waiver = { area, team, kind: "not_applicable", problem_type: type, reason: "none", owner: "ann" };
    const sent = [
      await post(service, "/score", score),
      await report(service, { ...target, problem_type: type }),
      await post(service, "/waivers", { ...waiver, app, env }),
      await post(service, "/waivers", waiver),
    ];
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 201, 201]);
  });

  test("neither a score outside 0 to 100 nor a negative count nor an unknown severity can be stored", async () => {
    const service = await useService({ databaseUrl: await createEmptyDatabase(kind) });
    await fill(service);
    for (const update of [
      "UPDATE scores SET score = 100.01",
      "UPDATE scores SET score = -0.01",
      "UPDATE problems SET count = -1",
      "UPDATE problems SET severity = 'terrible'",
    ]) {
      await expect(service.database.knex.raw(update), update).rejects.toMatchObject({ code: "23514" });
    }
  });
});

test("a migration that fails leaves the database as it was", async () => {
  const database = useDatabase(await createEmptyDatabase("postgres"));
  await database.knex.raw("CREATE TABLE problems (mine text)");
  await expect(migrate(database)).rejects.toMatchObject({ code: "42P07" });
  const { rows } = await database.knex.raw("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  expect(rows).toEqual([{ tablename: "problems" }]);
});
