import type { Knex } from "knex";
import { clockToleranceS } from "../model/limits.ts";
import type { WaivableScorecard } from "../model/waiver.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { requireNewAreas, watchAreas } from "./areas.ts";
import { checkStages } from "./check-stages.ts";
import { countIn } from "./lines.ts";
import { readRow, requireMakeable } from "./read-row.ts";
import type { TableName } from "./row-schemas.ts";
import { analyzeStages, createStages, stageRows } from "./stages.ts";
import { storeStages } from "./store-stages.ts";
import type { TableRow } from "./tables.ts";

/** How many rows of each table were stored. */
export type Imported = Readonly<Record<TableName, number>>;

/** How an import is done. */
export interface ImportOptions {
  /** Who imports, for the audit. */
  readonly actor: string;
  /** Only these areas, all if absent; lines of others are checked and left out. */
  readonly areas?: readonly string[] | undefined;
  /** The scorecards that are registered: a waiver in force must be of these. */
  readonly scorecards: readonly WaivableScorecard[];
  /** Is history kept? If not, changes of scores and roll-ups of days are checked and left out. */
  readonly hasHistory: boolean;
}

/** Rows are stored when they are so many, or their lines so many characters. */
const batchRows = 500;
const batchCharacters = 4 * 1_048_576;

/**
 * Stores exported rows of areas of which the store has nothing, all or none. Alert threads do not move: the next alert of
 * an open problem starts a new one.
 *
 * @returns how many rows were stored
 * @throws ImportError at the first line that cannot be taken
 * @throws AreasError if no line is of an area that is asked for, or the store has an area already
 */
export async function importRows(
  { background }: Database,
  lines: AsyncIterable<string>,
  options: ImportOptions,
): Promise<Imported> {
  return background.transaction(async (trx) => {
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL lock_timeout = 0");
    await createStages(trx);
    const areas = await collect(trx, lines, options);
    await analyzeStages(trx);
    await lockNames(trx);
    await requireNewAreas(trx, areas);
    await checkStages(trx);
    const stored = await storeStages(trx);
    if (areas.size > 0) await audit(trx, stored, options);
    return stored;
  });
}

/** Returns the areas of what it collects. */
async function collect(
  trx: Knex,
  lines: AsyncIterable<string>,
  { areas, scorecards, hasHistory }: ImportOptions,
): Promise<ReadonlySet<string>> {
  const now = await clockOf(trx);
  const latest = () => now() + clockToleranceS * 1_000;
  const watch = watchAreas(areas);
  let number = 0;
  let characters = 0;
  let batch = new Map<TableName, TableRow[]>();
  const storeBatch = async () => {
    for (const [table, rows] of batch) await stageRows(trx, table, rows);
    batch = new Map();
    characters = 0;
  };
  for await (const text of lines) {
    const line = ++number;
    if (countIn(text) !== undefined) continue;
    const { table, row } = readRow(text, line, latest);
    if (table === "waivers") requireMakeable(row, line, { scorecards, now });
    if (!watch.note(row)) continue;
    if (!hasHistory && (table === "score_changes" || table === "roll_up_days")) continue;
    const rows = batch.get(table) ?? [];
    rows.push({ ...row, line });
    batch.set(table, rows);
    characters += text.length;
    if (rows.length >= batchRows || characters >= batchCharacters) await storeBatch();
  }
  await storeBatch();
  watch.requireAll("there");
  return watch.seen;
}

/** The database's clock, in milliseconds since 1970. */
async function clockOf(trx: Knex): Promise<() => number> {
  const { rows } = await trx.raw("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now");
  const ahead = rows[0].now - Date.now();
  return () => Date.now() + ahead;
}

async function audit(trx: Knex, stored: Imported, { actor, areas }: ImportOptions): Promise<void> {
  const [area, ...others] = areas ?? [];
  const target = area !== undefined && others.length === 0 ? { area } : {};
  await recordAudit(trx, { actor, action: "import.apply", target, details: { stored, ...(areas && { areas }) } });
}
