import type { Knex } from "knex";
import { type AppName, type Subtree, shownName } from "../model/app-name.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { moveNames } from "../store/moving/move.ts";
import { listMoving, planMove, within } from "../store/moving/plan.ts";
import { type Alias, findCurrentNames } from "../store/names.ts";
import { isoTime } from "../store/utc.ts";

/** A former name of the file. */
interface StagedAlias extends Alias {
  /** In PostgreSQL's notation, which keeps the microseconds. */
  readonly moved_at: string;
  readonly used_at: string | null;
}

/** A former name that is none here yet, by the names that both sides have here. */
interface NewAlias {
  readonly from: AppName;
  readonly to: AppName;
  readonly moved_at: string;
  readonly used_at: string | null;
}

/** How many were added, and what there is to tell. */
export interface Added {
  readonly count: number;
  readonly notes: readonly string[];
}

/**
 * Adds the former names of the file. What is here under such a name moves first, unless it was reported here after the
 * move of the file. What leads elsewhere here stays.
 */
export async function addAliases(trx: Knex, renameAlerts: (trx: Knex) => Promise<void>): Promise<Added> {
  const { rows: staged }: { rows: StagedAlias[] } = await trx.raw(`
    SELECT DISTINCT ON (area, team, app) area, team, app, to_area, to_team, to_app,
      ${isoTime("imported_app_aliases.moved_at")} AS moved_at, ${isoTime("used_at")} AS used_at
    FROM imported_app_aliases
    ORDER BY area, team, app, imported_app_aliases.moved_at DESC
  `);
  if (staged.length === 0) return { count: 0, notes: [] };
  const { fresh, notes } = await asHere(trx, staged);
  await lockNames(
    trx,
    fresh.flatMap(({ from, to }) => [from, to]),
  );
  const covered = await whereAnythingIs(trx, fresh);
  const added = fresh.filter((_, place) => !covered.has(place));
  await insertAliases(trx, added);
  for (const place of covered) {
    const alias = fresh[place] as NewAlias;
    const names = `${shownName(alias.from)} to ${shownName(alias.to)}`;
    const reason = await inTheWay(trx, alias, renameAlerts);
    notes.push(reason === undefined ? `moved ${names}` : `did not move ${names}: ${reason}`);
    if (reason === undefined) added.push(alias);
  }
  await trx.raw(
    `
    UPDATE app_aliases SET moved_at = added.moved_at, used_at = added.used_at
    FROM json_to_recordset(?::json) AS added (area text, team text, app text, moved_at timestamptz, used_at timestamptz)
    WHERE (app_aliases.area, app_aliases.team, app_aliases.app) = (added.area, added.team, added.app)
    `,
    [JSON.stringify(added.map(({ from, moved_at, used_at }) => ({ ...from, moved_at, used_at })))],
  );
  return { count: added.length, notes };
}

/** Finds those that are not known here, by the names that both sides have here. */
async function asHere(trx: Knex, staged: readonly StagedAlias[]): Promise<{ fresh: NewAlias[]; notes: string[] }> {
  const targets = staged.map(({ to_area, to_team, to_app }) => ({ area: to_area, team: to_team, app: to_app }));
  const [froms, tos] = [await findCurrentNames(trx, staged), await findCurrentNames(trx, targets)];
  const fresh: NewAlias[] = [];
  const notes: string[] = [];
  for (const [place, { moved_at, used_at, ...alias }] of staged.entries()) {
    const { name: from, by } = froms[place] as (typeof froms)[number];
    const { name: to } = tos[place] as (typeof tos)[number];
    if (shownName(from) === shownName(to)) continue;
    const isDecided = by.some((one) => depthOf(one) === depthOf(alias));
    if (isDecided)
      notes.push(`left ${shownName(alias)} as a former name of ${shownName(from)}, not of ${shownName(to)}`);
    else fresh.push({ from, to, moved_at, used_at });
  }
  return { fresh, notes };
}

function depthOf({ team, app }: AppName): number {
  return app !== "" ? 3 : team !== "" ? 2 : 1;
}

/** The places of those of which something is here under the former name, or under a name that leads there. */
async function whereAnythingIs(trx: Knex, fresh: readonly NewAlias[]): Promise<Set<number>> {
  const { rows }: { rows: { place: number }[] } = await trx.raw(
    `
    WITH known AS (
      SELECT area, team, app FROM scores
      UNION SELECT area, team, app FROM problems
      UNION SELECT area, team, app FROM apps
      UNION SELECT area, team, app FROM retired_apps
      UNION SELECT area, coalesce(team, ''), coalesce(app, '') FROM roll_up_targets
      UNION SELECT area, coalesce(team, ''), coalesce(app, '') FROM waivers
      UNION SELECT to_area, to_team, to_app FROM app_aliases
    )
    SELECT place FROM json_to_recordset(?::json) AS wanted (place int, area text, team text, app text)
    WHERE EXISTS (
      SELECT FROM known
      WHERE known.area = wanted.area AND (wanted.team IN ('', known.team)) AND (wanted.app IN ('', known.app))
    )
    ORDER BY place
    `,
    [JSON.stringify(fresh.map(({ from }, place) => ({ place, ...from })))],
  );
  return new Set(rows.map(({ place }) => place));
}

async function insertAliases(trx: Knex, added: readonly NewAlias[]): Promise<void> {
  await trx.raw(
    `
    INSERT INTO app_aliases (area, team, app, to_area, to_team, to_app)
    SELECT area, team, app, to_area, to_team, to_app
    FROM json_to_recordset(?::json) AS added (
      area text, team text, app text, to_area text, to_team text, to_app text
    )
    `,
    [JSON.stringify(added.map(({ from, to }) => ({ ...from, to_area: to.area, to_team: to.team, to_app: to.app })))],
  );
}

/** Moves what is here under a former name of the file. Returns why not, if it cannot be done. */
async function inTheWay(
  trx: Knex,
  alias: NewAlias,
  renameAlerts: (trx: Knex) => Promise<void>,
): Promise<string | undefined> {
  const [from, to] = [subtreeOf(alias.from), subtreeOf(alias.to)];
  const { sql, values } = within(from);
  const later = `reported_at > ?::timestamptz AND ${sql}`;
  const { rows } = await trx.raw(
    `SELECT EXISTS (SELECT FROM scores WHERE ${later}) OR EXISTS (SELECT FROM problems WHERE ${later}) AS is_used`,
    [alias.moved_at, ...values, alias.moved_at, ...values],
  );
  if (rows[0].is_used) return "it was reported here since";
  await listMoving(trx, from, to);
  const [conflict] = (await planMove(trx, { from, to, merge: true, grant: { bounds: {} } })).conflicts;
  if (!conflict) {
    await moveNames(trx, from, to, true);
    await renameAlerts(trx);
  }
  await trx.raw("DROP TABLE IF EXISTS moving, moving_targets, merging");
  return conflict?.reason;
}

function subtreeOf({ area, team, app }: AppName): Subtree {
  return { area, ...(team !== "" && { team }), ...(app !== "" && { app }) };
}
