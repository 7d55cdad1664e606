import type { Fault } from "@maturity/core";
import type { Knex } from "knex";
import sql, { type Sql } from "sql-template-tag";
import type { CampaignScope } from "../model/campaign.ts";
import type { Bounded } from "../model/grant.ts";
import { maxNear, nearName } from "../model/near-name.ts";
import { conjunction, isInAny } from "../store/conditions.ts";
import { findCurrentNames, holdNames } from "../store/names.ts";
import { query } from "../store/sql.ts";

/**
 * The scope with the current names of its areas and teams. The names are held until the transaction ends.
 *
 * @param trx the transaction that stores the scope
 */
export async function withCurrentNames(trx: Knex.Transaction, scope: CampaignScope): Promise<CampaignScope> {
  const { areas = [], teams = [] } = scope;
  await holdNames(trx);
  const given = [...areas.map((area) => ({ area, team: "", app: "" })), ...teams.map((team) => ({ ...team, app: "" }))];
  const names = (await findCurrentNames(trx, given)).map(({ name: { area, team } }) => ({ area, team }));
  const [ofAreas, ofTeams] = [names.slice(0, areas.length), names.slice(areas.length)];
  const unique = new Map(ofTeams.map((team) => [JSON.stringify(team), team]));
  return {
    ...scope,
    ...(scope.areas && { areas: [...new Set(ofAreas.map(({ area }) => area))] }),
    ...(scope.teams && { teams: [...unique.values()] }),
  };
}

/**
 * The names of a scope that nothing has, the first of them with the nearest name.
 *
 * @param reach the bounds of the caller, who learns nothing of applications outside of them
 */
export async function unknownNames(
  trx: Knex,
  { areas, teams, tier, labels, env }: CampaignScope,
  reach: Bounded,
): Promise<Fault[]> {
  const isReached = conjunction(isInAny(reach.parts.map(({ bounds }) => bounds)));
  const live = sql`FROM applications
    WHERE retired_at IS NULL AND held_since IS NULL AND ${isReached}`;
  const read = async (select: Sql): Promise<string[]> =>
    (await query(trx)`${select}`).map(({ name }: { name: string }) => name);
  const found: Fault[] = [];
  const check = (path: string, what: string, name: string, known: readonly string[]) => {
    if (known.includes(name)) return;
    const near = found.length < maxNear ? nearName(name, known) : undefined;
    const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    found.push({ path, message: `there is no ${what} ${JSON.stringify(name)}${hint}` });
  };
  const knownAreas = areas || teams ? await read(sql`SELECT DISTINCT area AS name ${live}`) : [];
  for (const [index, area] of (areas ?? []).entries()) check(`scope.areas[${index}]`, "area", area, knownAreas);
  for (const [index, { area, team }] of (teams ?? []).entries()) {
    const path = `scope.teams[${index}]`;
    check(`${path}.area`, "area", area, knownAreas);
    if (!knownAreas.includes(area)) continue;
    const ofArea = await read(sql`SELECT DISTINCT team AS name ${live} AND area = ${area}::text`);
    check(`${path}.team`, `team of ${area}`, team, ofArea);
  }
  const envs = env
    ? await read(sql`
        SELECT DISTINCT env AS name FROM targets JOIN applications ON applications.id = application_id
        WHERE targets.retired_at IS NULL AND ${isReached}
      `)
    : [];
  for (const [index, name] of (env ?? []).entries()) check(`scope.env[${index}]`, "environment", name, envs);
  const tiers = tier ? await read(sql`SELECT DISTINCT tier AS name ${live} AND tier IS NOT NULL`) : [];
  for (const [index, name] of (tier ?? []).entries()) check(`scope.tier[${index}]`, "tier", String(name), tiers);
  const keys = labels ? await read(sql`SELECT DISTINCT jsonb_object_keys(labels) AS name ${live}`) : [];
  for (const [key, values] of Object.entries(labels ?? {})) {
    check(`scope.labels.${key}`, "label", key, keys);
    if (!keys.includes(key)) continue;
    // Not by the operator of jsonb that is written as a question mark, which knex takes for a parameter.
    const known = await read(
      sql`SELECT DISTINCT labels->>${key}::text AS name ${live} AND labels->>${key}::text IS NOT NULL`,
    );
    for (const [index, value] of values.entries()) check(`scope.labels.${key}[${index}]`, `${key} of`, value, known);
  }
  return found;
}
