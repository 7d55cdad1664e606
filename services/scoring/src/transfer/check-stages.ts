import type { Knex } from "knex";
import { type AppName, shownName } from "../model/app-name.ts";
import { kinds, type TableName, tableNames } from "./kinds.ts";
import { ImportError } from "./lines.ts";
import { appTables } from "./stages.ts";

/** A rule about several lines, or about a line and the store. */
interface Check {
  /** SQL that selects the faulty lines: `line`, and the name if the message has it. */
  readonly find: string;
  fault(name: string): string;
}

/** SQL that compares a column of two rows. The team and the app may be null in some tables. */
const same = (column: string) =>
  column === "team" || column === "app"
    ? `coalesce(one.${column}, '') = coalesce(other.${column}, '')`
    : `one.${column} = other.${column}`;

/** Finds lines with the key of a line before them. */
function repeated(table: TableName): Check {
  const { key } = kinds[table];
  return {
    find: `
      SELECT one.line FROM imported_${table} AS one JOIN imported_${table} AS other
        ON ${key.map(same).join(" AND ")} AND one.line > other.line
    `,
    fault: () => `has the same ${key.join(", ")} as a line before it`,
  };
}

/** Finds lines about a score that is not there. */
function ofScore(table: "score_changes" | "score_confirmations", what: string): Check {
  return {
    find: `
      SELECT line FROM imported_${table} AS one WHERE NOT EXISTS (
        SELECT FROM imported_scores AS other WHERE ${kinds.scores.key.map(same).join(" AND ")}
      )
    `,
    fault: () => `${what} of a score that the file does not have`,
  };
}

/** Finds lines about a campaign that is not there. */
function ofCampaign(table: "campaign_members" | "campaign_days"): Check {
  return {
    find: `SELECT line FROM imported_${table} AS one WHERE campaign_id NOT IN (SELECT id FROM imported_campaigns)`,
    fault: () => "is of a campaign that the file does not have",
  };
}

/** SQL of the names of all rows of the file. A name may end at the team or the area. */
const named = appTables
  .map((table) => `SELECT line, area, team, app FROM imported_${table}`)
  .concat("SELECT line, to_area, to_team, to_app FROM imported_former_names")
  .concat(
    "SELECT line, area, team, NULL FROM imported_campaign_days",
    "SELECT line, area, NULL, NULL FROM imported_campaigns",
  )
  .join(" UNION ALL ");

/** SQL of the names of the store, in the areas of the file's former names. */
const stored = `
  SELECT * FROM (
    SELECT area, team, app FROM applications
    UNION SELECT area, team, NULL FROM roll_up_targets
    UNION SELECT area, team, NULL FROM waivers
    UNION SELECT to_area, to_team, NULL FROM former_groups
  ) AS known WHERE area IN (SELECT area FROM imported_former_names)
`;

/** SQL of each name with its team and its area, as names with an empty app, or with an empty team and app. */
const withParents = (names: string) => `
  SELECT DISTINCT one.line, one.area, one.team, one.app, level.team AS of_team, level.app AS of_app
  FROM (${names}) AS one, LATERAL (
    VALUES (coalesce(one.team, ''), coalesce(one.app, '')), (coalesce(one.team, ''), ''), ('', '')
  ) AS level (team, app)
`;

const formerNames =
  "SELECT line, area, coalesce(team, '') AS team, coalesce(app, '') AS app FROM imported_former_names";

const checks: readonly Check[] = [
  ...tableNames.map(repeated),
  ofScore("score_changes", "is a change"),
  ofScore("score_confirmations", "is the time"),
  {
    find: `
      SELECT one.line, one.area, one.team, one.app
      FROM (${withParents(named)}) AS one JOIN (
        SELECT area, team, app FROM ${kinds.former_names.source} UNION SELECT area, team, app FROM (${formerNames}) AS imported
      ) AS former ON (former.area, former.team, former.app) = (one.area, of_team, of_app)
    `,
    fault: (name) => `${name} is a former name, in the file or in this store`,
  },
  {
    find: `
      SELECT former.line, former.area, former.team, former.app
      FROM (${formerNames}) AS former JOIN (
        SELECT area, of_team AS team, of_app AS app FROM (${withParents(`SELECT 0 AS line, * FROM (${stored}) AS known`)}) AS used
        UNION SELECT area, team, app FROM ${kinds.former_names.source}
      ) AS used ON (former.area, former.team, former.app) = (used.area, used.team, used.app)
    `,
    fault: (name) => `${name} is in use in this store, so it cannot become a former name`,
  },
  {
    find: "SELECT line FROM imported_waivers AS one WHERE id IN (SELECT id FROM waivers)",
    fault: () => "has the id of a waiver of this store",
  },
  ofCampaign("campaign_members"),
  ofCampaign("campaign_days"),
  {
    find: `
      SELECT one.line FROM imported_campaigns AS one JOIN (
        SELECT id, goal, line FROM imported_campaigns UNION ALL SELECT id, goal, 0 FROM campaigns
      ) AS other ON one.id = other.id AND one.line > other.line AND one.goal <> other.goal
    `,
    fault: () => "has the id of a campaign with another goal, in the file or in this store",
  },
];

/**
 * Checks the rules about several lines: no row is there twice, a change has its score, and no name is both current and former.
 *
 * @throws ImportError at the first line that breaks a rule
 */
export async function checkStages(trx: Knex): Promise<void> {
  for (const { find, fault } of checks) {
    const { rows }: { rows: (Partial<AppName> & { line: number })[] } = await trx.raw(`${find} ORDER BY line LIMIT 1`);
    const [row] = rows;
    if (row) throw new ImportError(row.line, fault(shownName({ area: "", ...row })));
  }
}
