import type { Knex } from "knex";
import { OperatorError } from "../model/errors.ts";
import { maxCampaigns } from "../store/campaigns.ts";

const isForAll = (scope: string) => `(${scope}->'areas' IS NULL AND ${scope}->'teams' IS NULL)`;

const teamsIn = (area: string) =>
  `(SELECT jsonb_agg(team) FROM jsonb_array_elements(scope->'teams') AS team WHERE team->>'area' = ${area})`;

/**
 * SQL of each campaign once for each of its areas, with the part of its scope that is of the area. One for all areas is
 * there for each area of the store, and stays for all.
 */
export const campaignsByArea: string = `
  SELECT part.area, id, name, why, owner, part.scope, goal, starts, due, created_at, created_by, creator,
    ended_at, ended_by, archived_at, recorded, notified
  FROM campaigns, LATERAL (
    SELECT DISTINCT area, scope FROM applications WHERE ${isForAll("scope")}
    UNION ALL
    SELECT area, scope - 'areas' - 'teams' || jsonb_strip_nulls(jsonb_build_object(
      'areas', CASE WHEN scope->'areas' @> to_jsonb(area) THEN jsonb_build_array(area) END, 'teams', ${teamsIn("area")}
    ))
    FROM (
      SELECT area COLLATE "C" AS area FROM jsonb_array_elements_text(scope->'areas') AS area
      UNION SELECT team->>'area' COLLATE "C" FROM jsonb_array_elements(scope->'teams') AS team
    ) AS named
  ) AS part`;

const namesIn = (field: "areas" | "teams") =>
  `(SELECT jsonb_agg(DISTINCT name) FROM parts AS one, jsonb_array_elements(one.scope->'${field}') AS name WHERE one.id = parts.id)`;

/**
 * SQL that stores the imported campaigns, each with the areas and teams of all its lines. One that the store has already,
 * because others of its areas are there, gets these in addition, and keeps its own fields.
 */
export const storeCampaigns: string = `
  WITH parts AS (
    SELECT id, scope FROM imported_campaigns
    UNION ALL SELECT id, scope FROM campaigns WHERE id IN (SELECT id FROM imported_campaigns)
  ),
  merged AS (
    SELECT id, CASE WHEN bool_or(${isForAll("scope")}) THEN '{}' ELSE jsonb_strip_nulls(jsonb_build_object(
      'areas', ${namesIn("areas")}, 'teams', ${namesIn("teams")}
    )) END AS names
    FROM parts GROUP BY id
  )
  INSERT INTO campaigns AS known (id, name, why, owner, scope, goal, starts, due, created_at, created_by, creator,
    ended_at, ended_by, archived_at, recorded, notified)
  SELECT DISTINCT ON (one.id) one.id, name, why, owner, scope - 'areas' - 'teams' || names, goal, starts, due, created_at,
    created_by, creator, ended_at, ended_by, archived_at, recorded, notified
  FROM imported_campaigns AS one JOIN merged USING (id)
  ORDER BY one.id, recorded DESC NULLS LAST, line
  ON CONFLICT (id) DO UPDATE SET
    scope = known.scope - 'areas' - 'teams' || (SELECT names FROM merged WHERE merged.id = known.id),
    recorded = greatest(known.recorded, excluded.recorded)`;

/** @throws OperatorError if there are more campaigns than there may be */
export async function requireRoomForCampaigns(trx: Knex): Promise<void> {
  const { rows } = await trx.raw("SELECT count(*)::int AS count FROM campaigns WHERE archived_at IS NULL");
  if (rows[0].count <= maxCampaigns.all) return;
  throw new OperatorError(
    `there would be ${rows[0].count} campaigns that are not archived, and there may be ${maxCampaigns.all}; archive those that are over; nothing was imported`,
  );
}
