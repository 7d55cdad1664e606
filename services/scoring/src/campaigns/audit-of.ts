import type { AuditAction, AuditEntry } from "../store/audit.ts";
import type { StoredCampaign } from "../store/campaigns.ts";

/** The audit entry of an action on a campaign. It has a target where the campaign is for one area or team. */
export function auditOf(
  action: Extract<AuditAction, `campaign.${string}`>,
  actor: string,
  { id, name, why, owner, scope, goal, starts, due, state }: StoredCampaign,
): AuditEntry {
  const [first, ...others] = [...(scope.areas ?? []).map((area) => ({ area })), ...(scope.teams ?? [])];
  return {
    ...{ actor, action, target: first && others.length === 0 ? first : {} },
    details: { id, name, why, owner, scope, goal, starts, due, state },
  };
}
