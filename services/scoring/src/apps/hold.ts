import type { Unregistered } from "../model/unregistered.ts";
import { recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { query } from "../store/sql.ts";

/**
 * Applies the setting to what is stored already: with `hold` it holds all applications that reported and that nobody
 * registered, with `accept` it releases those that are held. `refuse` leaves them as they are. The audit records it.
 *
 * @returns the number of applications that are held or released
 */
export async function applyUnregistered(
  { background }: Database,
  unregistered: Unregistered,
  actor: string,
): Promise<number> {
  if (unregistered === "refuse") return 0;
  const isHold = unregistered === "hold";
  return background.transaction(async (trx) => {
    const [{ applications }] = await query(trx)`
      WITH wanted AS MATERIALIZED (
        SELECT id FROM applications
        WHERE registered_at IS NULL AND (held_since IS NULL) = ${isHold}::boolean
          AND (held_since IS NOT NULL OR EXISTS (SELECT FROM targets WHERE application_id = applications.id))
        ORDER BY id
        FOR NO KEY UPDATE
      ),
      changed AS (
        UPDATE applications SET held_since = CASE WHEN ${isHold}::boolean THEN now() END
        FROM wanted WHERE applications.id = wanted.id
        RETURNING applications.id
      )
      SELECT count(*)::int AS applications FROM changed
    `;
    if (applications > 0) {
      const action = isHold ? "app.hold" : "app.release";
      await recordAudit(trx, { actor, action, target: {}, details: { applications } });
    }
    return applications;
  });
}
