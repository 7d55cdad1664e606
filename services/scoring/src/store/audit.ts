import type { Target } from "@maturity/core";
import type { Knex } from "knex";

/** What is audited: everything that changes what others see, and is no report. */
export const auditActions = [
  "app.register",
  "app.move",
  "app.retire",
  "app.restore",
  "waiver.create",
  "waiver.revoke",
  "token.create",
  "token.revoke",
  "policy.load",
  "replay.apply",
  "import.apply",
] as const;

export type AuditAction = (typeof auditActions)[number];

/** An action to record. */
export interface AuditEntry {
  /** The name of the caller's grant, or of the command and who ran it. */
  readonly actor: string;
  readonly action: AuditAction;
  /** What it was done to, as far as that has names; nothing of what concerns the whole organisation. */
  readonly target: Partial<Target>;
  /** What else there is to know, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Records an action, at the time of the database's clock.
 *
 * @param trx the transaction of the action itself, so that both are stored or neither
 */
export async function recordAudit(trx: Knex, { actor, action, target, details }: AuditEntry): Promise<void> {
  const { area = null, team = null, app = null, env = null } = target;
  await trx.raw(
    `
    INSERT INTO audit (actor, action, area, team, app, env, details)
    VALUES (?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::jsonb)
    `,
    [actor, action, area, team, app, env, JSON.stringify(details)],
  );
}

/** An action that was recorded. */
export interface RecordedAudit extends Pick<AuditEntry, "actor" | "details"> {
  readonly id: number;
  readonly at: Date;
}

/** The action of this kind that was recorded last. */
export async function lastAudit(knex: Knex, action: AuditAction): Promise<RecordedAudit | undefined> {
  const { rows } = await knex.raw(
    "SELECT id, at, actor, details FROM audit WHERE action = ?::text ORDER BY id DESC LIMIT 1",
    [action],
  );
  return rows[0] && { ...rows[0], id: Number(rows[0].id) };
}
