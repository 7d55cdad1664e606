import type { AuditAction, AuditEntry } from "../store/audit.ts";
import type { StoredWaiver } from "../store/waivers.ts";

/** What an entry says of a waiver. */
type Audited = Pick<
  StoredWaiver,
  | ("id" | "kind" | "area" | "team" | "app" | "env" | "scorecard" | "metric" | "problem_type" | "reason" | "owner")
  | ("evidence" | "extends" | "requested_by" | "comment")
> & { readonly expires_at: Date | string | null };

/** The audit entry of an action on a waiver. */
export function auditOf(action: Extract<AuditAction, `waiver.${string}`>, actor: string, waiver: Audited): AuditEntry {
  const { area, team, app, env, id, kind, scorecard, metric, problem_type, reason, owner, expires_at } = waiver;
  const { evidence, extends: before, requested_by, comment } = waiver;
  const target = { area, ...(team !== null && { team }), ...(app !== null && { app }), ...(env !== null && { env }) };
  return {
    ...{ actor, action, target },
    details: {
      ...{ id, kind, scorecard, metric, problem_type, reason, owner, expires_at },
      ...{ requested_by, evidence, extends: before, comment },
    },
  };
}
