import type { Knex } from "knex";
import { type AppName, appKey, appName, isSameName, type Subtree, shownName, shownTarget } from "../model/app-name.ts";
import { ServiceError } from "../model/errors.ts";
import { type Bounded, type Bounds, isAll, isCompatible, reachesInto } from "../model/grant.ts";
import { orStoreError } from "./failures.ts";
import { query } from "./sql.ts";

/** The current state of a name. */
export interface CurrentName {
  /** The current name of the application. */
  readonly name: AppName;
  /** The id of the application; null for a name without one, and for a team or an area. */
  readonly application_id: number | null;
  /** Why the application was retired; null if it is in use. */
  readonly retired: string | null;
  /** Whether the application is registered. */
  readonly is_registered: boolean;
}

/** More look-ups than names have levels; former groups never form a circle. */
const maxSteps = 10;

/**
 * Looks up the current names of applications, in their order. An empty team or app stands for all of them. A name
 * without an application is followed from group to group: the former name of its team counts before that of its area.
 */
export async function findCurrentNames(knex: Knex, names: readonly AppName[]): Promise<CurrentName[]> {
  let current = names.map(appName);
  for (let step = 0; step < maxSteps; step++) {
    const found = await findNames(knex, current);
    if (found.every(({ to_area }) => to_area === null)) {
      return found.map(({ application_id, area, team, app, retired, is_registered }, index) => ({
        name: application_id === null ? (current[index] as AppName) : { area, team, app },
        ...{ application_id, retired, is_registered },
      }));
    }
    current = current.map((name, index) => {
      const { to_area = null, to_team = "" } = found[index] ?? {};
      return to_area === null ? name : { area: to_area, team: to_team || name.team, app: name.app };
    });
  }
  throw new Error(`the former groups of ${names.map(shownName).join(", ")} do not end`);
}

interface Found extends AppName {
  readonly application_id: number | null;
  readonly retired: string | null;
  readonly is_registered: boolean;
  /** The new name of its group; null if the name has an application or its group did not move. */
  readonly to_area: string | null;
  readonly to_team: string;
}

async function findNames(knex: Knex, names: readonly AppName[]): Promise<readonly Found[]> {
  const sent = JSON.stringify(names.map((name, index) => ({ index, ...appName(name) })));
  return query(knex)`
    SELECT application.id AS application_id, application.area, application.team, application.app,
      application.retired_because AS retired, application.registered_at IS NOT NULL AS is_registered, former.to_area, former.to_team
    FROM json_to_recordset(${sent}::json) AS sent (index int, area text, team text, app text)
    LEFT JOIN LATERAL (
      SELECT applications.* FROM names JOIN applications ON id = application_id
      WHERE (names.area, names.team, names.app) = (sent.area, sent.team, sent.app)
      LIMIT 1
    ) AS application ON true
    LEFT JOIN LATERAL (
      SELECT to_area, to_team FROM former_groups
      WHERE application.id IS NULL AND area = sent.area AND team IN ('', sent.team)
      ORDER BY team = ''
      LIMIT 1
    ) AS former ON true
    ORDER BY index
  `;
}

/**
 * Prevents moves, merges and retirement until the transaction ends. Other transactions may still create applications.
 */
export async function holdNames(trx: Knex): Promise<void> {
  await trx.raw("LOCK TABLE applications IN ROW EXCLUSIVE MODE");
}

/**
 * Looks up the current names as `findCurrentNames` does, and creates an application for each unknown name. Two
 * transactions that create the same one create it once. The names are held until the transaction ends.
 *
 * @param trx the transaction that stores something about the applications
 * @param isHeld whether what it creates is held until it is registered
 */
export async function ensureApplications(
  trx: Knex,
  names: readonly AppName[],
  isHeld = false,
): Promise<(CurrentName & { readonly application_id: number })[]> {
  await holdNames(trx);
  const found = await findCurrentNames(trx, names);
  const sent = found.flatMap(({ name, application_id }, index) => {
    const { area, team, app } = names[index] ?? name;
    if (application_id !== null && isSameName(name, { area, team, app })) return [];
    return [{ area, team, app, to_area: name.area, to_team: name.team, to_app: name.app }];
  });
  if (sent.length === 0) return found as (CurrentName & { readonly application_id: number })[];
  const rows = await createApplications(trx, JSON.stringify(sent), isHeld);
  const created = new Map(rows.map((row) => [appKey(row), row.id]));
  return found.map((one) => {
    const application_id = one.application_id ?? created.get(appKey(one.name));
    if (application_id === undefined) throw new Error(`no application was created for ${shownName(one.name)}`);
    return { ...one, application_id };
  });
}

/** Also returns an application that another transaction creates at the same moment, since the upsert locks its row. */
async function createApplications(
  trx: Knex,
  sent: string,
  isHeld: boolean,
): Promise<(AppName & { readonly id: number })[]> {
  return query(trx)`
    WITH sent AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${sent}::json) AS sent (
        area text, team text, app text, to_area text, to_team text, to_app text
      )
    ),
    created AS (
      INSERT INTO applications (area, team, app, held_since)
      SELECT DISTINCT to_area COLLATE "C", to_team COLLATE "C", to_app COLLATE "C",
        CASE WHEN ${isHeld}::boolean THEN now() END
      FROM sent ORDER BY 1, 2, 3
      ON CONFLICT (area, team, app) DO UPDATE SET area = excluded.area
      RETURNING id, area, team, app
    ),
    named AS (
      INSERT INTO names (area, team, app, application_id)
      SELECT DISTINCT name.area COLLATE "C", name.team COLLATE "C", name.app COLLATE "C", created.id
      FROM sent CROSS JOIN LATERAL (
        VALUES (sent.area, sent.team, sent.app), (to_area, to_team, to_app)
      ) AS name (area, team, app)
      JOIN created ON (created.area, created.team, created.app) = (to_area, to_team, to_app)
      ORDER BY 1, 2, 3
      ON CONFLICT DO NOTHING
    )
    SELECT id, area, team, app FROM created
  `;
}

/**
 * The error for a submission or a registry entry of a retired application. It shows the name that was sent, because the
 * current one may be outside the bounds of the caller.
 */
export function appRetired(retired: readonly { readonly name: RetiredName; readonly path: string }[]): ServiceError {
  const [first] = retired;
  const message = `${first ? shownTarget(first.name) : ""} is retired; maturity app restore brings it back, with all that was stored of it`;
  return new ServiceError("app-retired", message, {
    details: retired.map(({ path, name }) => ({ path, message: `${shownTarget(name)} is retired` })),
  });
}

/** An application or one of its environments. */
interface RetiredName extends AppName {
  readonly env?: string;
}

/**
 * The error for an application, a team or an area that has moved out of the caller's bounds. It shows the former name,
 * because the caller must not learn the current one.
 */
export function movedAway(gone: readonly { readonly name: Subtree; readonly path: string }[]): ServiceError {
  const faults = gone.map(({ path, name }) => ({
    path,
    message: `${shownName(name)} has moved out of your bounds`,
  }));
  return new ServiceError("forbidden", faults[0]?.message ?? "", { details: faults });
}

/**
 * Refuses to show nothing where all that a caller may see of some names is called otherwise now, beyond its bounds.
 *
 * @param names of what was asked for: an area, a team, an application, or everything
 * @throws ServiceError `forbidden`, or `store-unavailable`
 */
export async function requireNotMovedAway(knex: Knex, grant: Bounded, names: Bounds): Promise<void> {
  if (grant.parts.some(({ bounds }) => isAll(bounds))) return;
  const parts = grant.parts.filter(({ bounds }) => isCompatible(bounds, names));
  const former = parts.flatMap(({ bounds }) => subtreeOf({ ...bounds, ...names }) ?? []);
  if (former.length === 0 || former.length < parts.length) return;
  const sent = former.map(({ area, team = "", app = "" }) => ({ area, team, app }));
  const current = await orStoreError(findCurrentNames(knex, sent));
  if (current.some(({ name }) => reachesInto(grant, subtreeOf(name) ?? {}))) return;
  const path = (["app", "team", "area"] as const).find((part) => names[part] !== undefined) ?? "";
  throw movedAway(former.map((name) => ({ name, path })));
}

/** The smallest subtree that has all of these names; undefined without an area. */
function subtreeOf({ area, team, app }: Bounds): Subtree | undefined {
  if (!area) return undefined;
  if (!team) return { area };
  return app ? { area, team, app } : { area, team };
}
