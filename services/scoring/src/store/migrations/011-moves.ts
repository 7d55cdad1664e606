import type { Knex } from "knex";

/** What `GET /changes` needs to find the changes by moves without reading every change since. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("CREATE INDEX score_changes_moves ON score_changes (at) WHERE cause = 'move'");
}
