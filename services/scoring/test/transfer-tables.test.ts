import { expect, test } from "vitest";
import { entryColumns } from "../src/store/apps.ts";
import { resultColumns } from "../src/store/moving/merge-problems.ts";
import { columnsOf, type TableName } from "../src/transfer/kinds.ts";
import { query } from "./support/postgres.ts";
import { createDatabase } from "./support/service.ts";

/** Ids are of one database alone: rows name what they are of. */
const ids = new Set(["id", "application_id", "target_id", "metric_id", "problem_id"]);

/** Where the columns of a table of the store stand in an export, by the names that they have there. */
const carriedOf: Readonly<Record<string, { in: readonly TableName[]; as?: Readonly<Record<string, string>> }>> = {
  applications: { in: ["apps"], as: { retired_because: "reason" } },
  names: { in: ["former_names"], as: { since: "moved_at" } },
  former_groups: { in: ["former_names"] },
  targets: { in: ["retired_envs"], as: { retired_because: "reason" } },
  metrics: { in: ["scores"] },
  scores: { in: ["scores"] },
  problems: { in: ["problems"] },
  score_changes: { in: ["score_changes"] },
  score_confirmations: { in: ["score_confirmations"] },
  roll_up_targets: { in: ["roll_up_days"] },
  roll_up_days: { in: ["roll_up_days"] },
  roll_ups_again: { in: ["roll_ups_again"] },
  waivers: { in: ["waivers"] },
  campaigns: { in: ["campaigns"] },
  campaign_members: { in: ["campaign_members"] },
  campaign_days: { in: ["campaign_days"] },
};

/** The columns that an export does not carry, and why they are left out. */
const columnsLeftOut: Readonly<Record<string, readonly string[]>> = {
  "made of the names": ["targets.labels", "metrics.labels"],
  "said by score_confirmations": ["scores.repeated_at"],
  "made of the decision": ["waivers.created_at", "waivers.ends_at"],
};

/** The tables that an export does not carry, and why they are left out. */
const tablesLeftOut: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["scores_by_name", "problems_by_name", "waivers_by_name", "roll_up_targets_by_name", "former_names"].map((view) => [
      view,
      "a view",
    ]),
  ),
  roll_ups_until: "says up to which day this database has written roll-ups",
  notification_threads: "point to messages of the chat that this installation sends to",
  notifications: "wait for this installation to send them; carried, they would be sent twice",
  notification_addresses: "say until when this installation rests",
  waivers_announced_until: "says of which waivers this installation has announced the end",
  reported_changes: "wait for this installation to announce them",
  known_levels: "say which levels this installation has announced",
  levels_compared: "says up to when this installation has compared levels",
  digested_until: "says up to when this installation has sent its digest",
  tokens: "hold hashes of secrets that are for this installation",
  badges: "are addresses of this installation",
  badge_key: "signs the addresses of badges of this installation",
  sign_in_key: "seals the cookies of this installation",
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
  const known = [...Object.keys(carriedOf), ...Object.keys(tablesLeftOut)];
  expect(known.toSorted()).toEqual([...(await columnsOfStore()).keys()].toSorted());
});

test("so is every column of the tables that are carried", async () => {
  const store = await columnsOfStore();
  const left = new Set(Object.values(columnsLeftOut).flat());
  for (const [table, { in: tables, as = {} }] of Object.entries(carriedOf)) {
    const known = new Set(tables.flatMap(columnsOf));
    const missing = (store.get(table) ?? []).filter(
      (column) => !ids.has(column) && !left.has(`${table}.${column}`) && !known.has(as[column] ?? column),
    );
    expect(missing, table).toEqual([]);
  }
});

test.each([
  {
    ...{ table: "applications", taken: entryColumns },
    byOwnRule: ["id", "area", "team", "app", "registered_at", "held_since", "retired_at", "retired_because"],
  },
  {
    ...{ table: "problems", taken: resultColumns },
    byOwnRule: ["id", "target_id", "problem_type", "opened_at", "past_openings"],
  },
])("a merge takes every column of $table, or joins it by a rule of its own", async ({ table, taken, byOwnRule }) => {
  const url = await createDatabase("postgres");
  const sql = `SELECT column_name FROM information_schema.columns WHERE table_name = '${table}'`;
  const columns = (await query(url, sql)).rows.map(({ column_name }) => column_name);
  expect(columns.sort()).toEqual([...byOwnRule, ...taken].sort());
});
