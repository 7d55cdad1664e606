import type { Knex } from "knex";
import { raw } from "sql-template-tag";
import type { AppName } from "../model/app-name.ts";
import { query } from "./sql.ts";

/** The entry of an application in the registry. */
export interface RegisteredApp extends AppName {
  readonly owner: string | null;
  /** The address of its repository. */
  readonly repo: string | null;
  readonly tier: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** The columns of an entry; whatever compares, copies or joins entries takes them from here. */
export const entryColumns: readonly Exclude<keyof RegisteredApp, keyof AppName>[] = ["owner", "repo", "tier", "labels"];

const columnsOf = (row: string) => raw(entryColumns.map((column) => `${row}.${column}`).join(", "));

const assigned = raw(entryColumns.map((column) => `${column} = entries.${column}`).join(", "));

/** SQL of a FROM clause: the applications that are registered and not retired. */
export const registeredApps =
  "(SELECT * FROM applications WHERE registered_at IS NOT NULL AND retired_at IS NULL) AS registered";

/** How many entries of the registry were added, changed and left as they were. */
export interface Registered {
  readonly registered: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** Writes entries of the registry. The last of several entries of one application counts. */
export async function registerApps(
  trx: Knex,
  apps: readonly (Omit<RegisteredApp, keyof AppName> & { readonly application_id: number })[],
): Promise<Registered> {
  const entries = [...new Map(apps.map((app) => [app.application_id, app])).values()];
  const [{ registered, changed }] = await query(trx)`
    WITH entries AS (
      SELECT former.id, former.registered_at IS NULL AS is_new, ${columnsOf("entries")}
      FROM json_to_recordset(${JSON.stringify(entries)}::json)
        AS entries (application_id int, owner text, repo text, tier text, labels jsonb)
        JOIN applications AS former ON former.id = application_id
      WHERE (${columnsOf("former")}) IS DISTINCT FROM (${columnsOf("entries")})
      ORDER BY former.id
      FOR NO KEY UPDATE OF former
    ),
    stored AS (
      UPDATE applications
      SET ${assigned}, registered_at = coalesce(registered_at, now()), held_since = NULL
      FROM entries
      WHERE applications.id = entries.id
      RETURNING applications.id
    )
    SELECT count(*) FILTER (WHERE is_new)::int AS registered, count(*) FILTER (WHERE NOT is_new)::int AS changed
    FROM stored JOIN entries USING (id)
  `;
  return { registered, changed, unchanged: entries.length - registered - changed };
}
