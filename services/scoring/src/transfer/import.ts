import type { Knex } from "knex";
import { clockToleranceS, maxAcceptedDays } from "../model/limits.ts";
import { unregistered, type WaivableScorecard } from "../model/waiver.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { areaOf, requireNewAreas, requireSeen } from "./areas.ts";
import { checkStages } from "./check-stages.ts";
import type { Row, TableName } from "./kinds.ts";
import { countIn, ImportError } from "./lines.ts";
import { readRow } from "./read-row.ts";
import { analyzeStages, createStages, type StagedRow, stageRows } from "./stages.ts";
import { storeStages } from "./store-stages.ts";

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

/** Rows are staged when they are so many, or their lines so many characters. */
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
  const seen = new Set<string>();
  let [number, characters] = [0, 0];
  let batch: { table: TableName; row: StagedRow }[] = [];
  const stageBatch = async () => {
    for (const [table, of] of Map.groupBy(batch, ({ table }) => table)) {
      await stageRows(
        trx,
        table,
        of.map(({ row }) => row),
      );
    }
    [batch, characters] = [[], 0];
  };
  for await (const text of lines) {
    const line = ++number;
    if (countIn(text) !== undefined) continue;
    const { table, row } = readRow(text, line, now() + clockToleranceS * 1_000);
    if (table === "waivers") requireMakeable(row, line, scorecards, now());
    if (areas && !areas.includes(areaOf(row))) continue;
    seen.add(areaOf(row));
    if (!hasHistory && (table === "score_changes" || table === "roll_up_days")) continue;
    batch.push({ table, row: { ...row, line } });
    characters += text.length;
    if (batch.length >= batchRows || characters >= batchCharacters) await stageBatch();
  }
  await stageBatch();
  requireSeen(areas, seen, "there");
  return seen;
}

/**
 * Checks that a request could have made a waiver, by the rules of the moment of its making. What is registered is known of
 * this moment alone, so it counts for a waiver that is in force.
 *
 * @throws ImportError
 */
function requireMakeable(row: Row, line: number, scorecards: readonly WaivableScorecard[], now: number): void {
  const { kind, created_at = "", expires_at, revoked_at, ...waiver } = row as Readonly<Record<string, string>>;
  const made = Date.parse(created_at);
  const end = expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
  const refuse = (fault: string) => new ImportError(line, fault);
  if (kind === "accepted" && expires_at === undefined) throw refuse("expires_at is required of what is accepted");
  if (end <= made) throw refuse("expires_at must be later than created_at");
  if (kind === "accepted" && end > made + maxAcceptedDays * 86_400_000)
    throw refuse(`expires_at of what is accepted must be at most ${maxAcceptedDays} days after created_at`);
  if (revoked_at !== undefined && Date.parse(revoked_at) < made)
    throw refuse("revoked_at must not be earlier than created_at");
  const unknown = revoked_at === undefined && end > now ? unregistered(scorecards, waiver) : undefined;
  if (unknown)
    throw refuse(`${unknown.message}; name its package in SCORECARDS, or revoke the waiver and export again`);
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
