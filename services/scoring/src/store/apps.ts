import type { Knex } from "knex";
import { type AppName, appKey } from "../model/app-name.ts";

/** What is registered of an application. */
export interface RegisteredApp extends AppName {
  readonly owner: string | null;
  /** The address of its repository. */
  readonly repo: string | null;
  readonly tier: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** How many applications were registered for the first time, registered anew with other facts, and registered as they were. */
export interface Registered {
  readonly registered: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** Registers applications in place of their former entries. If several have one name, the last one counts. */
export async function registerApps(trx: Knex, apps: readonly RegisteredApp[]): Promise<Registered> {
  const entries = [...new Map(apps.map((app) => [appKey(app), app])).values()];
  const { rows } = await trx.raw(
    `
    WITH entries AS (
      SELECT * FROM json_to_recordset(?::json) AS entries (
        area text, team text, app text, owner text, repo text, tier text, labels jsonb
      )
    ),
    stored AS (
      INSERT INTO apps AS former (area, team, app, owner, repo, tier, labels)
      SELECT area, team, app, owner, repo, tier, labels FROM entries ORDER BY area COLLATE "C", team COLLATE "C", app COLLATE "C"
      ON CONFLICT (area, team, app) DO UPDATE
      SET owner = excluded.owner, repo = excluded.repo, tier = excluded.tier, labels = excluded.labels
      WHERE (former.owner, former.repo, former.tier, former.labels)
        IS DISTINCT FROM (excluded.owner, excluded.repo, excluded.tier, excluded.labels)
      RETURNING registered_at
    )
    SELECT count(*) FILTER (WHERE registered_at = now())::int AS registered,
      count(*) FILTER (WHERE registered_at <> now())::int AS changed
    FROM stored
    `,
    [JSON.stringify(entries)],
  );
  const { registered, changed } = rows[0];
  return { registered, changed, unchanged: entries.length - registered - changed };
}
