import type { Knex } from "knex";
import type { Database } from "../store/database.ts";
import { watchAreas } from "./areas.ts";
import { lastChange, type StateName, type TableName, type TableRow, tables } from "./tables.ts";

/** What is exported. */
export interface ExportOptions {
  /** Are the history and the roll-ups of former days left out, as versions without history need it? */
  readonly withoutHistory?: boolean;
  /** Only these areas; all if absent. */
  readonly areas?: readonly string[] | undefined;
}

/** A table of an export. */
interface Exported {
  readonly table: TableName;
  /** Its columns and where they come from. */
  readonly select: string;
  readonly order?: string;
  /** Rows held at a time. */
  readonly pageRows: number;
}

/** How columns are read where JSON has another form for them; times keep their microseconds. */
const readAs: Readonly<Record<string, string>> = {
  score: "score::float8 AS score",
  former_score: "former_score::float8 AS former_score",
  opened_at: utc("opened_at"),
  reported_at: utc("reported_at"),
  changed_at: utc("changed_at"),
};

function utc(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ${column}`;
}

/** A row of the state can have a mebibyte. */
function state(table: StateName, left: readonly string[]): Exported {
  const { key, values } = tables[table];
  const columns = ["area", ...key, ...values.filter((column) => !left.includes(column))];
  const select = columns.map((column) => readAs[column] ?? column).join(", ");
  return { table, select: `SELECT ${select} FROM ${table}`, order: "ORDER BY area, key", pageRows: 100 };
}

/** The past, and the waivers, which say what it was made of. In no order, which a table of many millions of rows would have to be sorted for. */
const past: readonly Exported[] = [
  {
    table: "score_changes",
    select: `
      SELECT area, team, app, env, scorecard, metric, ${utc("at")}, former::float8 AS former,
        score_changes.score::float8 AS score, score_changes.scorer, cause
      FROM score_changes JOIN scores ON id = score_id
    `,
    pageRows: 1_000,
  },
  {
    table: "roll_up_days",
    select: `
      SELECT area, team, app, env, day::text, count, score, coverage, fresh_coverage, lowest, weights, waived
      FROM roll_up_days JOIN roll_up_targets ON id = target_id
    `,
    pageRows: 1_000,
  },
  {
    table: "waivers",
    select: `
      SELECT id, kind, area, team, app, env, scorecard, metric, problem_type, reason, owner, ${utc("created_at")},
        created_by, ${utc("expires_at")}, ${utc("revoked_at")}, revoked_by
      FROM waivers
    `,
    pageRows: 1_000,
  },
];

/**
 * Gives every score and problem of one moment, and their past and the waivers, as a line of JSON, without its line feed:
 * `{"table":"scores",…}` with the columns as fields. What is null is left out, and so are ids, `key` and `labels`, which
 * the import makes anew.
 *
 * @throws MissingAreasError behind the last line, if nothing is stored of an area that is asked for
 */
export async function* exportRows(
  { background }: Database,
  { withoutHistory = false, areas }: ExportOptions = {},
): AsyncGenerator<string> {
  const trx = await background.transaction();
  try {
    await trx.raw("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL cursor_tuple_fraction = 1"); // plans for the last row, not for the first
    const left = withoutHistory ? lastChange : [];
    const seen = watchAreas(areas);
    for (const exported of [state("scores", left), state("problems", left), ...(withoutHistory ? [] : past)]) {
      for await (const row of rowsOf(trx, exported, areas)) {
        seen.note(row);
        yield JSON.stringify({ table: exported.table, ...withoutNull(row) });
      }
    }
    seen.requireAll("stored");
  } finally {
    await trx.rollback();
  }
}

async function* rowsOf(
  trx: Knex,
  { select, order = "", pageRows }: Exported,
  areas: readonly string[] | undefined,
): AsyncGenerator<TableRow> {
  const where = areas ? "WHERE area = ANY(?::text[])" : "";
  await trx.raw(`DECLARE page NO SCROLL CURSOR FOR ${select} ${where} ${order}`, areas ? [[...areas]] : []);
  for (;;) {
    const { rows }: { rows: TableRow[] } = await trx.raw(`FETCH ${pageRows} FROM page`);
    yield* rows;
    if (rows.length < pageRows) break;
  }
  await trx.raw("CLOSE page");
}

/** Of the columns alone: a null inside `raw` is part of its value. */
function withoutNull(row: TableRow): TableRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
