import type { Knex } from "knex";
import { clockToleranceS } from "../model/limits.ts";
import type { WaivableScorecard } from "../model/waiver.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { addAliases } from "./aliases.ts";
import { watchAreas } from "./areas.ts";
import { mergeStages } from "./merge.ts";
import { readRow, requireMakeable } from "./read-row.ts";
import { renameStages } from "./rename.ts";
import { addRetired } from "./retired.ts";
import { analyzeStages, createStages, type StageName, stageRows } from "./stages.ts";
import type { TableName, TableRow } from "./tables.ts";

/** How many rows of each table were stored, and what else there is to tell. */
export interface Imported extends Readonly<Record<TableName, number>> {
  /** Sentences about names: what was renamed, moved or retired, and what was left out. */
  readonly notes: readonly string[];
}

/** How an import is done. */
export interface ImportOptions {
  /** Who imports, for the audit. */
  readonly actor: string;
  /** Only these areas, all if absent; lines of others are checked and left out. */
  readonly areas?: readonly string[] | undefined;
  /** The scorecards that are registered: a waiver in force must be of these. */
  readonly scorecards: readonly WaivableScorecard[];
  /** Gives messages that wait the names of the temporary table `moving`. */
  renameAlerts(trx: Knex): Promise<void>;
}

/** Rows are stored when they are so many, or their lines so many characters. */
const batchRows = 500;
const batchCharacters = 4 * 1_048_576;

/**
 * Stores exported rows, all or none. A score or problem replaces only an older one of its key, by `reported_at`; so of
 * two with one key the newer counts, wherever it comes from, and what was reported here in the meantime stays. Changes
 * and roll-ups of days are added to those that are here, and so are registered applications and waivers. A waiver that is
 * revoked in either is revoked. Alert threads do not move: the next alert of an open problem starts a new one.
 *
 * Rows under a name that is a former one here are stored under the new name, and those of an application that is retired
 * here are kept with it. A move or a retirement of the file is done here too, unless this database has a later report under
 * the name.
 *
 * @returns how many rows were stored; the others are here already, or are not newer than what is
 * @throws ImportError at the first line that cannot be taken
 * @throws MissingAreasError if no line is of an area that is asked for; nothing is stored then
 */
export async function importRows(
  { background }: Database,
  lines: AsyncIterable<string>,
  { actor, areas, scorecards, renameAlerts }: ImportOptions,
): Promise<Imported> {
  return background.transaction(async (trx) => {
    await trx.raw("SET LOCAL statement_timeout = 0");
    await trx.raw("SET LOCAL lock_timeout = 0");
    await createStages(trx);
    await collect(trx, lines, { areas, scorecards });
    await analyzeStages(trx);
    // No day is written and nothing moves from here on: each would miss what the other has.
    await trx.raw("SELECT FROM roll_ups_until FOR UPDATE");
    const aliases = await addAliases(trx, renameAlerts);
    const renamed = await renameStages(trx);
    const retired = await addRetired(trx);
    const stored = { app_aliases: aliases.count, retired_apps: retired.count, ...(await mergeStages(trx)) };
    const notes = [...aliases.notes, ...renamed, ...retired.notes];
    if (Object.values(stored).some((count) => count > 0)) {
      const [area, ...others] = areas ?? [];
      const target = area !== undefined && others.length === 0 ? { area } : {};
      await recordAudit(trx, {
        actor,
        action: "import.apply",
        target,
        details: { stored, notes, ...(areas && { areas }) },
      });
    }
    return { ...stored, notes };
  });
}

async function collect(
  trx: Knex,
  lines: AsyncIterable<string>,
  { areas, scorecards }: Pick<ImportOptions, "areas" | "scorecards">,
): Promise<void> {
  const now = await clockOf(trx);
  const latest = () => now() + clockToleranceS * 1_000;
  const seen = watchAreas(areas);
  let number = 0;
  let characters = 0;
  let batch = new Map<StageName, TableRow[]>();
  const storeBatch = async () => {
    for (const [stage, rows] of batch) await stageRows(trx, stage, rows);
    batch = new Map();
    characters = 0;
  };
  for await (const line of lines) {
    const { stage, row } = readRow(line, ++number, latest);
    if (stage === "waivers") requireMakeable(row, number, { scorecards, now });
    if (!seen.note(row)) continue;
    const rows = batch.get(stage) ?? [];
    rows.push(row);
    batch.set(stage, rows);
    characters += line.length;
    if (rows.length >= batchRows || characters >= batchCharacters) await storeBatch();
  }
  await storeBatch();
  seen.requireAll("there");
}

/** The database's clock, in milliseconds since 1970. */
async function clockOf(trx: Knex): Promise<() => number> {
  const { rows } = await trx.raw("SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now");
  const ahead = rows[0].now - Date.now();
  return () => Date.now() + ahead;
}
