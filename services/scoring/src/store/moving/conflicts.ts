import type { Knex } from "knex";
import { type AppName, type Subtree, shownName } from "../../model/app-name.ts";
import { type Bounded, isWithin } from "../../model/grant.ts";
import { inSubtree } from "../conditions.ts";
import { query } from "../sql.ts";

/** An obstacle to a move. */
export interface Conflict extends Subtree {
  /** A merge removes an obstacle of the kind `exists`. */
  readonly kind: "exists" | "retired" | "former-name";
  readonly reason: string;
}

/** A requested move. */
export interface MoveRequest {
  readonly from: Subtree;
  readonly to: Subtree;
  readonly merge: boolean;
  readonly grant: Bounded;
}

/** The largest number of names and conflicts in a plan. */
export const maxListed = 100;

/**
 * Finds the obstacles to the move of the temporary table `moving`. Names outside the bounds of the grant are not shown.
 */
export async function findConflicts(trx: Knex, request: MoveRequest): Promise<Conflict[]> {
  return [
    ...(await retiredInTheWay(trx)),
    ...(await namesInTheWay(trx, request)),
    ...(request.merge ? [] : await appsInTheWay(trx, request.to)),
  ].slice(0, maxListed);
}

/** Pairs to be merged that are retired: applications of which one is, or both; environments of which only one is. */
async function retiredInTheWay(trx: Knex): Promise<Conflict[]> {
  const rows: (AppName & { readonly env: string | null })[] = await query(trx)`
    SELECT to_area AS area, to_team AS team, to_app AS app, env
    FROM moving JOIN applications AS one ON one.id = staying_id CROSS JOIN LATERAL (
      SELECT NULL AS env WHERE one.retired_at IS NOT NULL OR is_retired
      UNION ALL
      SELECT env
      FROM targets AS two JOIN targets USING (env)
      WHERE (two.application_id, targets.application_id) = (moving.id, staying_id)
        AND (two.retired_at IS NULL) <> (targets.retired_at IS NULL)
    ) AS retired
    ORDER BY 1, 2, 3, env NULLS FIRST
    LIMIT ${maxListed}::int
  `;
  return rows.map(({ env, ...name }) => ({
    ...name,
    kind: "retired",
    reason: `${env === null ? "" : `${env} of `}one of the two that would be ${shownName(name)} is retired; restore it first`,
  }));
}

/** A former name and its current name; an empty team or app means all of them. */
interface FormerName extends AppName {
  readonly to_area: string;
  readonly to_team: string;
  readonly to_app: string;
  readonly is_given_back: boolean;
}

/**
 * Former names of others that applications would get. In a merge, an application may get back a former name whose
 * application gets this name too.
 */
async function namesInTheWay(trx: Knex, { from, to, merge, grant }: MoveRequest): Promise<Conflict[]> {
  const rows: FormerName[] = await query(trx)`
    SELECT *
    FROM (
      SELECT *, ${inSubtree(from, "to_")} AND (area, team, app) = (
        ${to.area}::text, coalesce(${to.team}::text, to_team), coalesce(${to.app}::text, to_app)
      ) AS is_given_back
      FROM former_names
    ) AS former
    WHERE NOT (is_given_back AND ${merge}::boolean) AND EXISTS (
      SELECT FROM moving
      WHERE former.area = moving.to_area
        AND (former.team, former.app) IN (('', ''), (moving.to_team, ''), (moving.to_team, moving.to_app))
    )
    ORDER BY is_given_back, area, team, app
    LIMIT ${maxListed}::int
  `;
  return rows.map((former) => {
    const name = {
      area: former.area,
      ...(former.team !== "" && { team: former.team }),
      ...(former.app !== "" && { app: former.app }),
    };
    const now = { area: former.to_area, team: former.to_team, app: former.to_app };
    const reason = `${shownName(name)} is a former name of ${isWithin(grant, now) ? shownName(now) : "something else"}`;
    return former.is_given_back
      ? { ...name, kind: "exists", reason: `${reason}; merge gives the name back` }
      : { ...name, kind: "former-name", reason: `${reason}, so this would be a circle or take its reports away` };
  });
}

/** The applications that already have a new name; if there are none, the existing team or area. */
async function appsInTheWay(trx: Knex, to: Subtree): Promise<Conflict[]> {
  const same: AppName[] = await query(trx)`
    SELECT to_area AS area, to_team AS team, to_app AS app
    FROM moving JOIN applications ON applications.id = staying_id
    WHERE applications.retired_at IS NULL
    ORDER BY 1, 2, 3
    LIMIT ${maxListed}::int
  `;
  const any = await query(trx)`SELECT FROM applications WHERE ${inSubtree(to)} AND retired_at IS NULL LIMIT 1`;
  const inTheWay: readonly Subtree[] = same.length > 0 || any.length === 0 ? same : [to];
  return inTheWay.map((name) => ({
    ...name,
    kind: "exists",
    reason: `${shownName(name)} exists; merge joins the two`,
  }));
}
