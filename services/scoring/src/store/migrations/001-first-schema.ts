import type { Knex } from "knex";
import { createAccess } from "./001-access.ts";
import { createBadges } from "./001-badges.ts";
import { createCampaigns } from "./001-campaigns.ts";
import { createNames } from "./001-names.ts";
import { createNotifications } from "./001-notifications.ts";
import { createProblems } from "./001-problems.ts";
import { createRollUpDays } from "./001-roll-up-days.ts";
import { createRules } from "./001-rules.ts";
import { createScores } from "./001-scores.ts";
import { createStandings } from "./001-standings.ts";
import { createViews } from "./001-views.ts";

/**
 * All tables of the first release. `schema_works_from` has one row: the last migration known to the oldest version that
 * works on this schema. `database_id` shows whether two connections lead to one database.
 */
export async function up(knex: Knex): Promise<void> {
  await createNames(knex);
  await createScores(knex);
  await createProblems(knex);
  await createNotifications(knex);
  await createRollUpDays(knex);
  await createRules(knex);
  await createCampaigns(knex);
  await createStandings(knex);
  await createBadges(knex);
  await createViews(knex);
  await createAccess(knex);
  await knex.raw(`CREATE TABLE schema_works_from (migration text COLLATE "C" NOT NULL)`);
  await knex.raw("INSERT INTO schema_works_from (migration) VALUES ('001-first-schema')");
  await knex.raw("CREATE TABLE database_id (id uuid NOT NULL DEFAULT gen_random_uuid())");
  await knex.raw("INSERT INTO database_id DEFAULT VALUES");
}
