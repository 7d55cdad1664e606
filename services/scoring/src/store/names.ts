import type { Knex } from "knex";
import { type AppName, appKey, appName, type Subtree, shownName } from "../model/app-name.ts";
import { ServiceError } from "../model/errors.ts";

/** What became of a name. */
export interface CurrentName {
  /** The name that the application has now. */
  readonly name: AppName;
  /** The application; null if none ever had this name, or it is the name of a team or an area. */
  readonly application_id: number | null;
  /** Why the application was retired, if it was. */
  readonly retired: string | null;
}

/** More than there are levels of names; former groups never lead in a circle. */
const maxSteps = 10;

/**
 * Looks up what names are now, in their order. An empty team or app stands for all of them. A name that no application
 * ever had is followed from group to group: that of its team counts before that of its area.
 */
export async function findCurrentNames(knex: Knex, names: readonly AppName[]): Promise<CurrentName[]> {
  let reached = names.map(appName);
  for (let step = 0; step < maxSteps; step++) {
    const found = await lookUp(knex, reached);
    if (found.every(({ to_area }) => to_area === null)) {
      return found.map(({ application_id, area, team, app, retired }, index) => ({
        name: application_id === null ? (reached[index] as AppName) : { area, team, app },
        ...{ application_id, retired },
      }));
    }
    reached = reached.map((name, index) => {
      const { to_area = null, to_team = "" } = found[index] ?? {};
      return to_area === null ? name : { area: to_area, team: to_team || name.team, app: name.app };
    });
  }
  throw new Error(`the former groups of ${names.map(shownName).join(", ")} do not end`);
}

interface Found extends AppName {
  readonly application_id: number | null;
  readonly retired: string | null;
  /** The group that its group became; null unless no application has the name and its group moved. */
  readonly to_area: string | null;
  readonly to_team: string;
}

async function lookUp(knex: Knex, names: readonly AppName[]): Promise<readonly Found[]> {
  const { rows } = await knex.raw(
    `
    SELECT application.id AS application_id, application.area, application.team, application.app,
      application.retired_because AS retired, former.to_area, former.to_team
    FROM json_to_recordset(?::json) AS sent (index int, area text, team text, app text)
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
    `,
    [JSON.stringify(names.map((name, index) => ({ index, ...appName(name) })))],
  );
  return rows;
}

/**
 * Keeps names where they are until the transaction ends: nothing is moved, merged or retired meanwhile. Others may make
 * applications at the same time.
 */
export async function holdNames(trx: Knex): Promise<void> {
  await trx.raw("LOCK TABLE applications IN ROW EXCLUSIVE MODE");
}

/**
 * Looks up what names of applications are now, as `findCurrentNames` does, and makes an application of each name that none
 * ever had. Two that make the same one at once make one. The names are held until the transaction ends.
 *
 * @param trx the transaction that stores something of the applications
 */
export async function ensureApplications(
  trx: Knex,
  names: readonly AppName[],
): Promise<(CurrentName & { readonly application_id: number })[]> {
  await holdNames(trx);
  const found = await findCurrentNames(trx, names);
  const sent = found.flatMap(({ name, application_id }, index) => {
    const { area, team, app } = names[index] ?? name;
    if (application_id !== null && isSameName(name, { area, team, app })) return [];
    return [{ area, team, app, to_area: name.area, to_team: name.team, to_app: name.app }];
  });
  if (sent.length === 0) return found as (CurrentName & { readonly application_id: number })[];
  const { rows }: { rows: (AppName & { readonly id: number })[] } = await trx.raw(makeApplications, [
    JSON.stringify(sent),
  ]);
  const made = new Map(rows.map((row) => [appKey(row), row.id]));
  return found.map((one) => {
    const application_id = one.application_id ?? made.get(appKey(one.name));
    if (application_id === undefined) throw new Error(`no application was made of ${shownName(one.name)}`);
    return { ...one, application_id };
  });
}

/** An application that somebody else makes at the same moment is given too, since its row is locked by writing it. */
const makeApplications = `
  WITH sent AS MATERIALIZED (
    SELECT * FROM json_to_recordset(?::json) AS sent (
      area text, team text, app text, to_area text, to_team text, to_app text
    )
  ),
  made AS (
    INSERT INTO applications (area, team, app)
    SELECT DISTINCT to_area COLLATE "C", to_team COLLATE "C", to_app COLLATE "C" FROM sent ORDER BY 1, 2, 3
    ON CONFLICT (area, team, app) DO UPDATE SET area = excluded.area
    RETURNING id, area, team, app
  ),
  named AS (
    INSERT INTO names (area, team, app, application_id)
    SELECT DISTINCT name.area COLLATE "C", name.team COLLATE "C", name.app COLLATE "C", made.id
    FROM sent CROSS JOIN LATERAL (
      VALUES (sent.area, sent.team, sent.app), (to_area, to_team, to_app)
    ) AS name (area, team, app)
    JOIN made ON (made.area, made.team, made.app) = (to_area, to_team, to_app)
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING
  )
  SELECT id, area, team, app FROM made
`;

/**
 * The error for who reports of a retired application or registers it, by the name that he sent: another one may lie beyond
 * his bounds.
 */
export function appRetired(retired: readonly { readonly name: RetiredName; readonly path: string }[]): ServiceError {
  const [first] = retired;
  const message = `${first ? shownTarget(first.name) : ""} is retired; maturity app restore brings it back, with all that was stored of it`;
  return new ServiceError("app-retired", message, {
    details: retired.map(({ path, name }) => ({ path, message: `${shownTarget(name)} is retired` })),
  });
}

/** An application, or an environment of it. */
interface RetiredName extends AppName {
  readonly env?: string;
}

/** Names an application, a team or an area in a message, or an environment of an application. */
export function shownTarget({ env, ...name }: Subtree & { readonly env?: string }): string {
  return env === undefined ? shownName(name) : `${shownName(name)} (${env})`;
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
