import type { Knex } from "knex";
import type { Database } from "../store/database.ts";
import { isoTime } from "../store/utc.ts";
import { watchAreas } from "./areas.ts";
import { carried, lastChange, type TableName, type TableRow, tableNames } from "./tables.ts";

/** What is exported. */
export interface ExportOptions {
  /** Are only scores and problems exported, without the last change, as versions without history need it? */
  readonly withoutHistory?: boolean;
  /** Only these areas; all if absent. A former name belongs to the area that it leads to. */
  readonly areas?: readonly string[] | undefined;
}

/** How a table is read. */
interface Source {
  /** Its rows, if they have names that other tables hold. */
  readonly from?: string;
  readonly area?: string;
  readonly order?: string;
  /** Columns that JSON has in another form, or that several tables have. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Rows held at a time. */
  readonly pageRows: number;
}

/** A row of the state can have a mebibyte. */
const state: Source = {
  order: "ORDER BY area, key",
  columns: { score: "score::float8", former_score: "former_score::float8" },
  pageRows: 100,
};

const rows: Source = { pageRows: 1_000 };

/** All but the state are in no order, which a table of many millions of rows would have to be sorted for. */
const sources: Readonly<Record<TableName, Source>> = {
  scores: state,
  problems: state,
  retired_scores: state,
  retired_problems: state,
  score_changes: {
    ...rows,
    from: `score_changes AS one JOIN (
      SELECT id, area, team, app, env, scorecard, metric FROM scores
      UNION ALL SELECT id, area, team, app, env, scorecard, metric FROM retired_scores
    ) AS named ON id = score_id`,
    columns: { former: "former::float8", score: "score::float8" },
  },
  roll_up_days: { ...rows, from: "roll_up_days JOIN roll_up_targets ON id = target_id", columns: { day: "day::text" } },
  waivers: rows,
  apps: rows,
  app_aliases: {
    ...rows,
    area: "to_area",
    columns: Object.fromEntries(["team", "app", "to_team", "to_app"].map((name) => [name, `nullif(${name}, '')`])),
  },
  retired_apps: rows,
};

function selectOf(table: TableName, left: readonly string[]): string {
  const { from = table, columns = {} } = sources[table];
  const read = (column: string) => columns[column] ?? (/(?:^|_)at$/.test(column) ? isoTime(column) : column);
  const wanted = carried[table].filter((column) => !left.includes(column));
  return `SELECT ${wanted.map((column) => `${read(column)} AS ${column}`).join(", ")} FROM ${from}`;
}

/**
 * Gives every row of the tables `carried`, as they are at one moment, as a line of JSON, without its line feed:
 * `{"table":"scores",…}` with the columns as fields. What is null is left out, and so are the columns that the import makes
 * anew.
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
    const seen = watchAreas(areas);
    for (const table of withoutHistory ? (["scores", "problems"] as const) : tableNames) {
      for await (const row of rowsOf(trx, table, withoutHistory ? lastChange : [], areas)) {
        seen.note(row);
        yield JSON.stringify({ table, ...withoutNull(row) });
      }
    }
    seen.requireAll("stored");
  } finally {
    await trx.rollback();
  }
}

async function* rowsOf(
  trx: Knex,
  table: TableName,
  left: readonly string[],
  areas: readonly string[] | undefined,
): AsyncGenerator<TableRow> {
  const { area = "area", order = "", pageRows } = sources[table];
  const where = areas ? `WHERE ${area} = ANY(?::text[])` : "";
  await trx.raw(
    `DECLARE page NO SCROLL CURSOR FOR ${selectOf(table, left)} ${where} ${order}`,
    areas ? [[...areas]] : [],
  );
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
