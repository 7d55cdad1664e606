import { expect, test } from "vitest";
import { type TableName, tableNames } from "../src/transfer/row-schemas.ts";
import { carried } from "../src/transfer/tables.ts";
import { query } from "./support/postgres.ts";
import { createDatabase } from "./support/service.ts";

/** The columns that an export does not carry of its tables, and why they are left out. */
const columnsLeftOut: Readonly<Partial<Record<TableName, Readonly<Record<string, string>>>>> = (() => {
  const made = { key: "made of the names", labels: "made of the names" };
  const id = "an id of this database alone; changes name their score";
  const identity = "leads to the alert thread, which is left out";
  return {
    scores: { ...made, id },
    retired_scores: { ...made, id },
    problems: { ...made, identity },
    retired_problems: { ...made, identity },
    score_changes: { score_id: id },
    roll_up_days: { target_id: "an id of this database alone; days name their target" },
  };
})();

/** The tables that an export does not carry, and why they are left out. */
const tablesLeftOut: Readonly<Record<string, string>> = {
  roll_up_targets: "the names of roll_up_days, which hold them",
  roll_ups_until: "says up to which day this database has written roll-ups",
  alert_threads: "point to messages of the chat that this installation sends to",
  alerts: "wait for this installation to send them; carried, they would be sent twice",
  alert_channels: "say until when this installation rests",
  digested_until: "says up to when this installation has sent its digest",
  tokens: "hold hashes of secrets that are for this installation",
  sessions: "hold hashes of cookies that are for this installation",
  idempotency_keys: "hold what this installation answered within the last day",
  audit: "says what was done to this database",
  policies: "recorded anew by the start of each service, from its file",
  schema_works_from: "describes the schema of this database",
  database_id: "is of this database alone",
  knex_migrations: "describes the schema of this database",
  knex_migrations_lock: "describes the schema of this database",
};

/** The columns of each table of the store. */
async function columnsOfStore(): Promise<Map<string, string[]>> {
  const { rows } = await query(
    await createDatabase("postgres"),
    `SELECT table_name, array_agg(column_name::text) AS columns
     FROM information_schema.columns WHERE table_schema = 'public'
     GROUP BY table_name`,
  );
  return new Map(rows.map(({ table_name, columns }) => [table_name, columns]));
}

test("every table of the store is carried by an export, or left out for a reason", async () => {
  const known: string[] = [...tableNames, ...Object.keys(tablesLeftOut)];
  expect(known.toSorted()).toEqual([...(await columnsOfStore()).keys()].toSorted());
});

test("so is every column of the tables that are carried", async () => {
  const store = await columnsOfStore();
  for (const table of tableNames) {
    const known = new Set([...carried[table], ...Object.keys(columnsLeftOut[table] ?? {})]);
    expect(
      store.get(table)?.filter((column) => !known.has(column)),
      table,
    ).toEqual([]);
  }
});

test.each(["scores", "problems"])("a retired row of %s has every column of one in use, in its order", async (table) => {
  const url = await createDatabase("postgres");
  const columnsOf = async (name: string) => {
    const { rows } = await query(
      url,
      `SELECT column_name, data_type, collation_name, numeric_precision, numeric_scale
       FROM information_schema.columns WHERE table_name = '${name}' ORDER BY ordinal_position`,
    );
    return rows;
  };
  expect(await columnsOf(`retired_${table}`)).toEqual(await columnsOf(table));
});

test("a retired application keeps every column of a registered one", async () => {
  const store = await columnsOfStore();
  const retired = new Set(store.get("retired_apps"));
  expect(store.get("apps")?.filter((column) => !retired.has(column))).toEqual([]);
});
