import type { Knex } from "knex";

/**
 * What `GET /changes` needs to compare with a day without reading every change since: the weights by which the roll-ups
 * of the day were made (null for the days before), and the few changes that the weights alone do not tell of.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE roll_up_days ADD COLUMN weights integer");
  await knex.raw(`
    CREATE INDEX score_changes_rules ON score_changes (at) WHERE cause = 'rules' OR former IS NULL
  `);
}
