import type { TargetFilter } from "../model/target-filter.ts";
import { readStoredScores } from "../rollups/stored-scores.ts";
import type { Database } from "../store/database.ts";
import { readSnapshot } from "../store/lines.ts";
import { createReplay, type ReplayRules } from "./replay.ts";
import type { ScoreChoice } from "./score-choice.ts";

/**
 * Scores what a database has again, from one snapshot of it. It only reads, so the database may be a replica.
 *
 * @throws ServiceError `store-unavailable`
 */
export function replayStore(
  database: Database,
  rules: ReplayRules,
  { filter, choice }: { readonly filter: TargetFilter; readonly choice: ScoreChoice },
): Promise<ReturnType<ReturnType<typeof createReplay>["end"]>> {
  return readSnapshot(
    database,
    database.reads,
    async (lines) => {
      const replay = createReplay(rules, choice);
      return replay.end(await readStoredScores(lines, { filter, rawOf: choice.installed }, replay.take));
    },
    "none",
  );
}
