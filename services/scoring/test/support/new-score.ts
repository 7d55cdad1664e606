import type { NewScore } from "../../src/store/new-score.ts";
import { query } from "./postgres.ts";

/** A score with changes. */
export function newScore(changes: Partial<NewScore>): NewScore {
  return {
    ...{ area: "area", team: "team", app: "app", env: "prod", scorecard: "security", metric: "sast" },
    ...{ score: 1, raw: {}, scorer: "test@1.0.0", ...changes },
  };
}

/** The scores of an area by application. */
export async function storedScores(databaseUrl: string, area: string): Promise<Record<string, number>> {
  const { rows } = await query(
    databaseUrl,
    `SELECT app, score::float8 FROM scores_by_name WHERE area = '${area}' ORDER BY app`,
  );
  return Object.fromEntries(rows.map(({ app, score }) => [app, score]));
}
