import type { Knex } from "knex";
import type { AppName, Subtree } from "../../model/app-name.ts";
import { shownName } from "../../model/app-name.ts";
import { type Grant, isWithin } from "../../model/grant.ts";
import { keySql } from "../made-columns.ts";
import type { Alias } from "../names.ts";

/** What stands in the way of a move. */
export interface Conflict extends Subtree {
  /** `exists` gives way to a merge. */
  readonly kind: "exists" | "retired" | "alias";
  readonly reason: string;
}

/** What a move would do. */
export interface Plan {
  readonly apps: number;
  /** The first hundred of them. */
  readonly names: readonly AppName[];
  readonly scores: number;
  readonly problems: number;
  /** How many of them the target has too, so that one of the two stays. */
  readonly merged: { readonly scores: number; readonly problems: number };
  /** The first hundred; empty only if nothing stands in the way. A merge has none of those that give way to it. */
  readonly conflicts: readonly Conflict[];
}

/** A move that somebody asks for. */
interface Asked {
  readonly from: Subtree;
  readonly to: Subtree;
  readonly merge: boolean;
  readonly grant: Pick<Grant, "bounds">;
}

/** Most names and conflicts that are told. */
const maxTold = 100;

/** Rows of which the names are those of a subtree, with the values of its question marks. */
export function within({ area, team, app }: Subtree, prefix = ""): { sql: string; values: string[] } {
  const terms = Object.entries({ area, team, app }).filter(([, name]) => name !== undefined);
  return {
    sql: terms.map(([field]) => `${prefix}${field} = ?::text`).join(" AND "),
    values: terms.map(([, name]) => name as string),
  };
}

/**
 * Makes the temporary table `moving`: every application below `from`, the retired ones too, with the name that it gets.
 * It lives until the transaction ends.
 */
export async function listMoving(trx: Knex, from: Subtree, to: Subtree): Promise<void> {
  await trx.raw(`
    CREATE TEMP TABLE moving (
      area text COLLATE "C", team text COLLATE "C", app text COLLATE "C",
      to_area text COLLATE "C", to_team text COLLATE "C", to_app text COLLATE "C"
    ) ON COMMIT DROP
  `);
  const { sql, values } = within(from);
  const known = ["scores", "problems", "apps", "retired_apps"]
    .map((table) => `SELECT area, team, app FROM ${table} WHERE ${sql}`)
    .join(" UNION ");
  await trx.raw(
    `INSERT INTO moving SELECT area, team, app, ?::text, coalesce(?::text, team), coalesce(?::text, app) FROM (${known}) AS known`,
    [to.area, to.team ?? null, to.app ?? null, ...values, ...values, ...values, ...values],
  );
  await trx.raw("ANALYZE moving"); // autovacuum sees no temporary tables
}

/** By the key, which has an index: by names, a table that was never analyzed is compared row with row. */
const scoreKey = keySql(["to_team", "to_app", "env", "scorecard", "metric"]);
const problemKey = keySql(["to_team", "to_app", "env", "problem_type"]);

/** Says what the move of `moving` would do, to who may know no name beyond his bounds. */
export async function planMove(trx: Knex, asked: Asked): Promise<Plan> {
  const { rows } = await trx.raw(`
    SELECT
      (SELECT count(*)::int FROM moving) AS apps,
      (SELECT count(*)::int FROM scores JOIN moving USING (area, team, app)) AS scores,
      (SELECT count(*)::int FROM problems JOIN moving USING (area, team, app)) AS problems,
      (
        SELECT count(*)::int
        FROM (SELECT to_area, ${scoreKey} AS to_key FROM scores JOIN moving USING (area, team, app)) AS one
        JOIN scores AS other ON (other.area, other.key) = (one.to_area, one.to_key)
      ) AS merged_scores,
      (
        SELECT count(*)::int
        FROM (SELECT to_area, ${problemKey} AS to_key FROM problems JOIN moving USING (area, team, app)) AS one
        JOIN problems AS other ON (other.area, other.key) = (one.to_area, one.to_key)
      ) AS merged_problems
  `);
  const { apps, scores, problems, merged_scores, merged_problems } = rows[0];
  const { rows: names } = await trx.raw(`SELECT area, team, app FROM moving ORDER BY area, team, app LIMIT ${maxTold}`);
  const conflicts = [
    ...(await retiredInTheWay(trx)),
    ...(await aliasesInTheWay(trx, asked)),
    ...(asked.merge ? [] : await appsInTheWay(trx, asked.to)),
  ].slice(0, maxTold);
  return { apps, names, scores, problems, merged: { scores: merged_scores, problems: merged_problems }, conflicts };
}

/** The applications that have the name already that another one would get; or else the team or area that is there. */
async function appsInTheWay(trx: Knex, to: Subtree): Promise<Conflict[]> {
  const { sql, values } = within(to);
  const known = ["scores", "problems", "apps"]
    .map((table) => `SELECT area, team, app FROM ${table} WHERE ${sql}`)
    .join(" UNION ");
  const { rows }: { rows: AppName[] } = await trx.raw(
    `SELECT known.area, known.team, known.app FROM (${known}) AS known
     ORDER BY EXISTS (SELECT FROM moving WHERE (to_area, to_team, to_app) = (known.area, known.team, known.app)) DESC,
       area, team, app
     LIMIT ${maxTold}`,
    [...values, ...values, ...values],
  );
  if (rows.length === 0) return [];
  const { rows: same }: { rows: AppName[] } = await trx.raw(
    `SELECT known.area, known.team, known.app FROM (${known}) AS known
     JOIN moving ON (to_area, to_team, to_app) = (known.area, known.team, known.app)
     ORDER BY 1, 2, 3 LIMIT ${maxTold}`,
    [...values, ...values, ...values],
  );
  const inTheWay: readonly Subtree[] = same.length > 0 ? same : [to];
  return inTheWay.map((name) => ({
    ...name,
    kind: "exists",
    reason: `${shownName(name)} exists; merge joins the two`,
  }));
}

async function retiredInTheWay(trx: Knex): Promise<Conflict[]> {
  const { rows }: { rows: AppName[] } = await trx.raw(`
    SELECT to_area AS area, to_team AS team, to_app AS app
    FROM moving
    WHERE EXISTS (
      SELECT FROM retired_apps AS retired WHERE (retired.area, retired.team, retired.app) = (to_area, to_team, to_app)
    ) OR (
      EXISTS (
        SELECT FROM retired_apps AS retired
        WHERE (retired.area, retired.team, retired.app) = (moving.area, moving.team, moving.app)
      ) AND EXISTS (
        SELECT FROM (
          SELECT area, team, app FROM scores
          UNION ALL SELECT area, team, app FROM problems
          UNION ALL SELECT area, team, app FROM apps
        ) AS used
        WHERE (used.area, used.team, used.app) = (to_area, to_team, to_app)
      )
    )
    ORDER BY 1, 2, 3
    LIMIT ${maxTold}
  `);
  return rows.map((name) => ({
    ...name,
    kind: "retired",
    reason: `one of the two that would be ${shownName(name)} is retired; restore it first`,
  }));
}

/**
 * The former names that applications would get. An application may get its own former name back, by a merge: if the target
 * of the alias, once moved, has the name that the alias stands for.
 */
async function aliasesInTheWay(trx: Knex, { from, to, merge, grant }: Asked): Promise<Conflict[]> {
  const { sql, values } = within(from, "to_");
  const { rows }: { rows: (Alias & { readonly is_given_back: boolean })[] } = await trx.raw(
    `
    SELECT *
    FROM (
      SELECT *, ${sql} AND (area, team, app) = (?::text, coalesce(?::text, to_team), coalesce(?::text, to_app)) AS is_given_back
      FROM app_aliases
    ) AS alias
    WHERE NOT (is_given_back AND ?::boolean) AND EXISTS (
      SELECT FROM moving
      WHERE alias.area = moving.to_area
        AND (alias.team, alias.app) IN (('', ''), (moving.to_team, ''), (moving.to_team, moving.to_app))
    )
    ORDER BY is_given_back, area, team, app
    LIMIT ${maxTold}
    `,
    [...values, to.area, to.team ?? null, to.app ?? null, merge],
  );
  return rows.map((alias) => {
    const name = {
      area: alias.area,
      ...(alias.team !== "" && { team: alias.team }),
      ...(alias.app !== "" && { app: alias.app }),
    };
    const now = { area: alias.to_area, team: alias.to_team, app: alias.to_app };
    const reason = `${shownName(name)} is a former name of ${isWithin(grant, now) ? shownName(now) : "something else"}`;
    return alias.is_given_back
      ? { ...name, kind: "exists", reason: `${reason}; merge gives the name back` }
      : { ...name, kind: "alias", reason: `${reason}, so this would be a circle or take its reports away` };
  });
}
