import type { Fact } from "../model/fact.ts";
import type { StoredWaiver } from "../store/waivers.ts";

/**
 * The fact of what happened to a waiver. All facts of one waiver have one subject.
 *
 * @param actor the name of the grant that did it; absent where only time passed
 */
export function waiverFact(
  type: Extract<Fact["type"], `waiver.${string}`>,
  waiver: StoredWaiver,
  actor?: string,
): Fact {
  const { id, area, team, app, env, state, kind, scorecard, metric, problem_type, reason, owner, comment } = waiver;
  const { expires_at, requested_by } = waiver;
  return {
    ...{ type, subject: `waiver@${id}`, area, team, app, env, severity: null },
    data: {
      ...{ id, state, kind, scorecard, metric, problem_type, reason, owner, comment, requested_by },
      ...{ expires_at: expires_at?.toISOString() ?? null, ...(actor !== undefined && { actor }) },
    },
  };
}
