import type { Knex } from "knex";
import { clockToleranceS, maxAcceptedDays } from "../model/limits.ts";
import type { Unregistered } from "../model/unregistered.ts";
import { uninstalledFault, type WaivableScorecard } from "../model/waiver.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { areaOf, requireNewAreas, requireSeen } from "./areas.ts";
import { requireRoomForCampaigns } from "./campaign-areas.ts";
import { checkStages } from "./check-stages.ts";
import type { Row, TableName } from "./kinds.ts";
import { countIn, ImportError } from "./lines.ts";
import { readRow } from "./read-row.ts";
import { analyzeStages, createStages, type StagedRow, stageRows } from "./stages.ts";
import { storeStages } from "./store-stages.ts";

/** The number of stored rows of each table. */
export type Imported = Readonly<Record<TableName, number>>;

/** The options of an import. */
export interface ImportOptions {
  /** The actor in the audit. */
  readonly actor: string;
  /** Only these areas; all if absent. Lines of other areas are checked and left out. */
  readonly areas?: readonly string[] | undefined;
  /** The installed scorecards. A waiver in force must name one of them. */
  readonly scorecards: readonly WaivableScorecard[];
  /** Whether history is kept. If not, changes of scores and roll-ups of days are checked and left out. */
  readonly hasHistory: boolean;
  /** Whether imported applications that nobody registered are held: all, none, or those that were. */
  readonly unregistered: Unregistered;
}

/** Rows are staged in batches of at most this size. */
const batchRows = 500;
const batchCharacters = 4 * 1_048_576;

/**
 * Stores exported rows of areas that the store does not have: all rows or none. Alert threads are not exported: the next
 * alert of an open problem opens a new thread.
 *
 * @returns the number of stored rows
 * @throws ImportError at the first faulty line
 * @throws AreasError if a chosen area has no line, or the store has an area already
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
    const areas = await stageLines(trx, lines, options);
    await analyzeStages(trx);
    await lockNames(trx);
    await requireNewAreas(trx, areas);
    await checkStages(trx);
    const stored = await storeStages(trx, options.unregistered);
    if (stored.campaigns > 0) await requireRoomForCampaigns(trx);
    if (areas.size > 0) await audit(trx, stored, options);
    return stored;
  });
}

/** What is left out without history. */
const pastTables: ReadonlySet<TableName> = new Set([
  "score_changes",
  "score_confirmations",
  "roll_up_days",
  "roll_ups_again",
]);

/** Checks the lines and stages their rows. Returns the areas of the rows. */
async function stageLines(
  trx: Knex,
  lines: AsyncIterable<string>,
  { areas, scorecards, hasHistory }: ImportOptions,
): Promise<ReadonlySet<string>> {
  const now = await clockOf(trx);
  const seen = new Set<string>();
  let [number, characters] = [0, 0];
  let batch: { table: TableName; row: StagedRow }[] = [];
  const stageBatch = async () => {
    for (const [table, entries] of Map.groupBy(batch, ({ table }) => table)) {
      const rows = entries.map(({ row }) => row);
      await stageRows(trx, table, rows);
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
    if (!hasHistory && pastTables.has(table)) continue;
    batch.push({ table, row: { ...row, line } });
    characters += text.length;
    if (batch.length >= batchRows || characters >= batchCharacters) await stageBatch();
  }
  await stageBatch();
  requireSeen(areas, seen, "there");
  return seen;
}

/**
 * Checks a waiver by the rules that the API had when it was made. Only a waiver in force must name an installed scorecard
 * or metric, because the packages of that time are unknown.
 *
 * @throws ImportError
 */
function requireMakeable(row: Row, line: number, scorecards: readonly WaivableScorecard[], now: number): void {
  const {
    kind,
    requested_at = "",
    decision,
    decided_at,
    expires_at,
    revoked_at,
    ...waiver
  } = row as Readonly<Record<string, string>>;
  const asked = Date.parse(requested_at);
  const decided = decided_at === undefined ? asked : Date.parse(decided_at);
  const end = expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
  const isApproved = decision === "approved";
  const refuse = (fault: string) => new ImportError(line, fault);
  if (kind === "accepted" && expires_at === undefined) throw refuse("expires_at is required with the kind accepted");
  if (decided < asked) throw refuse("decided_at must not be earlier than requested_at");
  if (end <= asked) throw refuse("expires_at must be later than requested_at");
  if (isApproved && end <= decided) throw refuse("expires_at must be later than decided_at, when it was approved");
  if (kind === "accepted" && end > asked + maxAcceptedDays * 86_400_000)
    throw refuse(`expires_at with the kind accepted must be at most ${maxAcceptedDays} days after requested_at`);
  if (revoked_at !== undefined && !isApproved) throw refuse("revoked_at is for approved waivers alone");
  if (revoked_at !== undefined && Date.parse(revoked_at) < decided)
    throw refuse("revoked_at must not be earlier than decided_at");
  const isInForce = isApproved && revoked_at === undefined && end > now;
  const unknown = isInForce ? uninstalledFault(scorecards, waiver) : undefined;
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
  const [area, ...further] = areas ?? [];
  const target = area !== undefined && further.length === 0 ? { area } : {};
  await recordAudit(trx, { actor, action: "import.apply", target, details: { stored, ...(areas && { areas }) } });
}
