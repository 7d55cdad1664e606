import { randomBytes } from "node:crypto";
import type { Knex } from "knex";
import { access } from "./001-access.ts";
import { badges } from "./001-badges.ts";
import { campaigns } from "./001-campaigns.ts";
import { names } from "./001-names.ts";
import { notifications } from "./001-notifications.ts";
import { problems } from "./001-problems.ts";
import { rollUpDays } from "./001-roll-up-days.ts";
import { rules } from "./001-rules.ts";
import { scores } from "./001-scores.ts";
import { standings } from "./001-standings.ts";
import { views } from "./001-views.ts";

const versions = `
CREATE TABLE schema_works_from (migration text COLLATE "C" NOT NULL);
INSERT INTO schema_works_from (migration) VALUES ('001-first-schema');
CREATE TABLE database_id (id uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO database_id DEFAULT VALUES
`;

const tables = [names, scores, problems, notifications, rollUpDays, rules, campaigns, standings, badges, views, access];

/**
 * All tables of the first release. `schema_works_from` has one row: the last migration known to the oldest version that
 * works on this schema. `database_id` shows whether two connections lead to one database.
 */
export async function up(knex: Knex): Promise<void> {
  // The embedded database takes one statement at a time.
  for (const statement of [...tables, versions].join(";\n").split(";\n")) await knex.raw(statement);
  for (const table of ["sign_in_key", "badge_key"]) {
    await knex.raw(`INSERT INTO ${table} (key) VALUES (decode(?::text, 'hex'))`, [randomBytes(32).toString("hex")]);
  }
}
