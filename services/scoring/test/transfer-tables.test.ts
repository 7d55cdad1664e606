import { expect, test } from "vitest";
import { carried, columnsLeftOut, tableNames, tablesLeftOut } from "../src/transfer/tables.ts";
import { query } from "./support/postgres.ts";
import { createDatabase } from "./support/service.ts";

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
