import { randomBytes } from "node:crypto";
import { recordChanges } from "../../src/store/score-changes.ts";
import type { TestService } from "./service.ts";

const labelBytes = 20_480;
const batch = 100;

/**
 * Stores scores with random labels of 20 kB each, so that a scrape is larger than what sockets hold, compressed too. Each
 * score has its first change, as if it had been reported.
 *
 * @param scores a multiple of 100
 */
export async function fillStore({ database }: Pick<TestService, "database">, scores: number): Promise<void> {
  for (let stored = 0; stored < scores; stored += batch) {
    const random = Array.from({ length: batch }, () => randomBytes(labelBytes / 2).toString("hex"));
    await database.background.raw(
      `WITH stored AS (
         INSERT INTO scores (area, team, app, env, scorecard, metric, score, raw, scorer, key, labels)
         SELECT 'large', 'team', 'app', 'prod', 'security', 'sast', 50, '{}', 'test@1.0.0', decode(left(random, 64), 'hex'),
           '{area="large",app="' || random || '"}'
         FROM json_array_elements_text(?::json) AS random
         RETURNING *
       )
       ${recordChanges}`,
      [JSON.stringify(random)],
    );
  }
}
