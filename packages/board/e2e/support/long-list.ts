import type { NewScore } from "../../../../services/scoring/src/store/new-score.ts";
import { saveScores } from "../../../../services/scoring/test/support/save-scores.ts";
import type { TestService } from "../../../../services/scoring/test/support/service.ts";
import { startBoard } from "./browser.ts";

/** How many rows the long list has: more than are read at first. */
export const longList = 1_203;

/** Where it is. */
export const longListQuery = "?view=metric&env=prod&metric=security.image_scan";

/** The score of one of its applications. */
export function longListScore(index: number): NewScore {
  return {
    ...{ area: "big", team: `team ${index % 30}`, app: `application ${index}`, env: "prod" },
    ...{ scorecard: "security", metric: "image_scan", score: (index * 37) % 101, raw: {}, scorer: "test@1.0.0" },
  };
}

/** Starts a service with a Board that has the list. */
export async function startLongList(): Promise<TestService> {
  const service = await startBoard();
  await saveScores(
    service.database.knex,
    Array.from({ length: longList }, (_, index) => longListScore(index)),
  );
  return service;
}
