import type { AuditEntry } from "../store/audit.ts";
import type { StoredWaiver } from "../store/waivers.ts";

/** The audit entry of an action on a waiver. */
export function auditOf(action: "waiver.create" | "waiver.revoke", actor: string, waiver: StoredWaiver): AuditEntry {
  const { area, team, app, env, id, kind, scorecard, metric, problem_type, reason, owner, expires_at } = waiver;
  const target = { area, ...(team !== null && { team }), ...(app !== null && { app }), ...(env !== null && { env }) };
  return {
    ...{ actor, action, target },
    details: { id, kind, scorecard, metric, problem_type, reason, owner, expires_at },
  };
}
