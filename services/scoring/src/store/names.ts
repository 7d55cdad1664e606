import type { Knex } from "knex";
import { type AppName, appKey, appName, type Subtree, shownName } from "../model/app-name.ts";
import { hasCode, ServiceError } from "../model/errors.ts";

/** A former name of an application, of a team or of an area. An empty team or app stands for all of them. */
export interface Alias extends AppName {
  readonly to_area: string;
  readonly to_team: string;
  readonly to_app: string;
}

/** What became of a name. */
export interface CurrentName {
  /** The name that the application has now. */
  readonly name: AppName;
  /** The aliases that lead there, in their order. */
  readonly by: readonly Alias[];
  /** Why the application was retired, if it was. */
  readonly retired: string | null;
}

/** Did a trigger of the database refuse a row, because its application moved or is retired? */
export function isFormerName(error: unknown): boolean {
  return hasCode(error, "23M01");
}

/** More than there are levels of names, and aliases are never a circle. */
export const maxSteps = 10;

/**
 * Looks up what names are now, in their order. Each is followed from alias to alias: that of the application counts
 * before that of its team, and that of its team before that of its area.
 */
export async function findCurrentNames(knex: Knex, names: readonly AppName[]): Promise<CurrentName[]> {
  let reached = names.map((name): CurrentName => ({ name: appName(name), by: [], retired: null }));
  for (let step = 0; step < maxSteps; step++) {
    const found = await lookUp(
      knex,
      reached.map(({ name }) => name),
    );
    const next = reached.map((one, place) => {
      const { alias, retired } = found[place] ?? {};
      return alias ? { name: renamed(one.name, alias), by: [...one.by, alias], retired: null } : { ...one, retired };
    }) as CurrentName[];
    if (found.every(({ alias }) => alias === null)) return next;
    reached = next;
  }
  throw new Error(`the aliases of ${names.map(shownName).join(", ")} do not end`);
}

/**
 * Looks up what a name is now, and keeps it so until the transaction ends, by the locks that a move needs alone. An empty
 * team or app stands for all of them.
 */
export async function holdCurrentName(trx: Knex.Transaction, name: AppName): Promise<CurrentName> {
  const { area, team } = name;
  await trx.raw(
    `SELECT pg_advisory_xact_lock_shared(1835103329, lock_of_name(?::text, '')),
      pg_advisory_xact_lock_shared(1835103329, lock_of_name(?::text, ?::text))`,
    [area, area, team],
  );
  // By a statement that begins only now, so that it sees what a move has done for which the other one waited.
  const [current = { name, by: [], retired: null }] = await findCurrentNames(trx, [name]);
  return isSameName(current.name, name) ? current : holdCurrentName(trx, current.name);
}

async function lookUp(
  knex: Knex,
  names: readonly AppName[],
): Promise<readonly { readonly alias: Alias | null; readonly retired: string | null }[]> {
  const { rows } = await knex.raw(
    `
    SELECT
      (
        SELECT jsonb_build_object('area', area, 'team', team, 'app', app,
          'to_area', to_area, 'to_team', to_team, 'to_app', to_app)
        FROM app_aliases
        WHERE area = wanted.area_ AND (team, app) IN (('', ''), (wanted.team_, ''), (wanted.team_, wanted.app_))
        ORDER BY app = '', team = ''
        LIMIT 1
      ) AS alias,
      (
        SELECT reason FROM retired_apps
        WHERE area = wanted.area_ AND team = wanted.team_ AND app = wanted.app_
      ) AS retired
    FROM json_to_recordset(?::json) AS wanted (place int, area_ text, team_ text, app_ text)
    ORDER BY place
    `,
    [JSON.stringify(names.map(({ area, team, app }, place) => ({ place, area_: area, team_: team, app_: app })))],
  );
  return rows;
}

/** The name that an alias gives to an application below it. */
export function renamed({ team, app }: AppName, { to_area, to_team, to_app }: Alias): AppName {
  return { area: to_area, team: to_team || team, app: to_app || app };
}

/**
 * The error for who reports of a retired application or registers it, by the name that he sent: another one may lie beyond
 * his bounds.
 */
export function appRetired(retired: readonly { readonly name: AppName; readonly path: string }[]): ServiceError {
  const [first] = retired;
  const name = first ? shownName(first.name) : "";
  const message = `${name} is retired; maturity apps restore brings it back, with all that was stored of it`;
  return new ServiceError("app-retired", message, {
    details: retired.map(({ path, name }) => ({ path, message: `${shownName(name)} is retired` })),
  });
}

/**
 * The error for who decides about what has left his bounds, by the name that it had inside. What it is called now is not
 * his to know.
 */
export function movedAway(gone: readonly { readonly name: Subtree; readonly path: string }[]): ServiceError {
  const faults = gone.map(({ path, name }) => ({
    path,
    message: `${shownName(name)} has moved out of the bounds of this token`,
  }));
  return new ServiceError("forbidden", faults[0]?.message ?? "", { details: faults });
}

/** Says whether two names are the same. */
export function isSameName(one: AppName, other: AppName): boolean {
  return appKey(one) === appKey(other);
}
