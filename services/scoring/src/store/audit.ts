import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { query } from "./sql.ts";

/** The audited actions, by what they are about: all that change what others see, except submissions. */
export const auditKinds = {
  registration: ["app.register", "app.hold", "app.release"],
  move: ["app.move"],
  retirement: ["app.retire", "app.restore"],
  waiver: ["waiver.create", "waiver.request", "waiver.approve", "waiver.reject", "waiver.withdraw", "waiver.revoke"],
  campaign: ["campaign.create", "campaign.change", "campaign.start", "campaign.end", "campaign.archive"],
  policy: ["policy.load"],
  replay: ["replay.apply"],
  badge: ["badge.create", "badge.revoke"],
  access: ["token.create", "token.revoke", "session.revoke"],
  store: ["import.apply", "history.rewrite"],
} as const;

export type AuditKind = keyof typeof auditKinds;

export type AuditAction = (typeof auditKinds)[AuditKind][number];

export const auditActions: readonly AuditAction[] = Object.values(auditKinds).flat();

/** An entry to record. */
export interface AuditEntry {
  /** The caller as `actorOf` names it, or the command and its user. */
  readonly actor: string;
  readonly action: AuditAction;
  /** The application, team or area that changed; empty if the whole organisation did. */
  readonly target: Partial<Target>;
  /** Further facts, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Records an entry, at the time of the database's clock.
 *
 * @param trx the transaction of the change, so that both are stored or neither
 */
export async function recordAudit(trx: Knex, { actor, action, target, details }: AuditEntry): Promise<void> {
  const { area, team, app, env } = target;
  await query(trx)`
    INSERT INTO audit (actor, action, area, team, app, env, details)
    VALUES (${actor}::text, ${action}::text, ${area}::text, ${team}::text, ${app}::text, ${env}::text,
      ${JSON.stringify(details)}::jsonb)
  `;
}

/** A recorded entry. */
export interface RecordedAudit extends Pick<AuditEntry, "actor" | "details"> {
  readonly id: number;
  readonly at: Date;
}

/** The newest entry with this action. */
export async function lastAudit(knex: Knex, action: AuditAction): Promise<RecordedAudit | undefined> {
  const [last] = await query(knex)`
    SELECT id, at, actor, details FROM audit WHERE action = ${action}::text ORDER BY id DESC LIMIT 1
  `;
  return last && { ...last, id: Number(last.id) };
}
