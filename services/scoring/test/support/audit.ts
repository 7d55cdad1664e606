import { createToken, hashToken } from "../../src/auth/token.ts";
import { insertToken } from "../../src/auth/tokens.ts";
import type { Bounds, Scope } from "../../src/model/grant.ts";
import { type AuditEntry, recordAudit } from "../../src/store/audit.ts";
import type { TestService } from "./service.ts";

const action: AuditEntry = { actor: "ann", action: "app.retire", target: {}, details: {} };

/** Records actions in the audit, one after the other. */
export function record({ database }: TestService, entries: readonly Partial<AuditEntry>[]): Promise<unknown> {
  return entries.reduce<Promise<unknown>>(
    (done, entry) => done.then(() => recordAudit(database.knex, { ...action, ...entry })),
    Promise.resolve(),
  );
}

/** The header of a caller with a token of these bounds. */
export async function tokenOf(
  { database }: TestService,
  bounds: Bounds,
  scopes: readonly Scope[] = ["admin"],
): Promise<{ authorization: string }> {
  const token = createToken();
  await insertToken(database.knex, { name: "auditor", hash: hashToken(token), scopes, bounds });
  return { authorization: `Bearer ${token}` };
}
