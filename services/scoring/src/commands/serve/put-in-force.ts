import type { Logger } from "pino";
import { applyUnregistered } from "../../apps/hold.ts";
import { recordRules } from "../../policy/recorded.ts";
import type { Rules } from "../../policy/rules.ts";
import type { Database } from "../../store/database.ts";
import { actorOf } from "../actor.ts";
import type { Config } from "../config.ts";
import { findNewScorecards } from "./new-scorecards.ts";
import { onceReachable } from "./once-reachable.ts";

/**
 * Records the rules by which this instance scores, and holds or releases applications as `UNREGISTERED` says. Logs
 * whatever is not as it was before.
 */
export async function putInForce(
  database: Database,
  rules: Rules,
  { policyFile: file, unregistered }: Pick<Config, "policyFile" | "unregistered">,
  logger: Logger,
): Promise<void> {
  const added = await onceReachable(() => findNewScorecards(database, rules), logger);
  if (added)
    logger.warn(
      added,
      "these scorecards are new and count from now on; a rule of applies with from in the policy announces them instead",
    );
  const noted = { actor: actorOf(), file, ...(added && { new_scorecards: added }) };
  const changes = await onceReachable(() => recordRules(database, rules, noted), logger);
  if (changes.length > 0)
    logger.info(
      { file, changes: changes.length },
      "recorded packages, weights, ages, levels or rules of what applies that differ from those recorded before",
    );
  const held = await onceReachable(() => applyUnregistered(database, unregistered, actorOf()), logger);
  if (held > 0)
    logger.warn(
      { applications: held },
      unregistered === "hold"
        ? "these applications are held, because nobody registered them: they count nowhere until somebody does"
        : "these applications were held, and count from now on",
    );
}
