import type { ScoreRecord } from "@maturity/core";
import type { Knex } from "knex";
import { expect } from "vitest";
import type { NewScore } from "../../src/store/new-score.ts";
import { hostileNames } from "./hostile-names.ts";
import { saveScores } from "./save-scores.ts";
import { shippedEngine, type TestService } from "./service.ts";

/** A page of a list. */
export interface ReadPage<Item = Record<string, unknown>> {
  readonly as_of: string;
  readonly items: Item[];
  readonly next: string | null;
  readonly total: number;
}

/** Asks for a list and gives its first page, or that after a cursor. */
export async function readPage<Item>(
  { server }: Pick<TestService, "server">,
  path: string,
  query: Readonly<Record<string, string | number>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<ReadPage<Item>> {
  const more = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) more.set(name, String(value));
  const url = `${path}${path.includes("?") ? "&" : "?"}${more}`;
  const { statusCode, payload } = await server.inject({ url, headers });
  expect(statusCode, `${url}: ${payload}`).toBe(200);
  return JSON.parse(payload);
}

/** All items of a list, page by page. */
export async function readAll<Item>(
  service: Pick<TestService, "server">,
  path: string,
  limit: number,
  betweenPages: () => Promise<void> = async () => {},
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: ReadPage<Item> = await readPage(service, path, { limit, ...(cursor && { cursor }) });
    items.push(...page.items);
    cursor = page.next;
    await betweenPages();
  }
  return items;
}

const raws: Readonly<Record<string, object>> = {
  image_scan: { critical: 0, high: 3, medium: 12 },
  secret_scan: { found: true },
};

/**
 * Scores of so many applications in two environments, about half of what they could report. The names are those that
 * something on the way might break, and the same for each seed.
 */
export function someScores(apps: number, seed = 1): NewScore[] {
  let state = seed;
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const metrics = shippedEngine.scorecards.flatMap(({ name, metrics }) =>
    metrics.map((metric) => ({ scorecard: name, metric: metric.name })),
  );
  return Array.from({ length: apps }, (_, app) => app).flatMap((app) =>
    ["prod", "staging"].flatMap((env) =>
      metrics.flatMap(({ scorecard, metric }): NewScore[] => {
        if (random(2) === 0) return [];
        const area = hostileNames[app % 3] ?? "area";
        const team = hostileNames[app % 7] ?? "team";
        const score = random(5) === 0 ? 0 : random(10_001) / 100;
        const scorer = `test@1.0.${random(2)}`;
        return [
          {
            area,
            team,
            app: `${hostileNames[app % hostileNames.length]}${app}`,
            env,
            scorecard,
            metric,
            score,
            scorer,
            raw: raws[metric] ?? {},
          },
        ];
      }),
    ),
  );
}

/** Saves scores whose ages go from now to three times what the strictest metric allows. Gives them as they are stored. */
export async function saveAgedScores(knex: Knex, scores: readonly NewScore[]): Promise<ScoreRecord[]> {
  await saveScores(knex, scores);
  await knex.raw(
    "UPDATE scores SET reported_at = reported_at - interval '21 days' * (((target_id * 37 + metric_id * 11) % 256) / 255.0)",
  );
  const { rows } = await knex.raw("SELECT * FROM scores_by_name");
  return rows.map((row: ScoreRecord) => ({ ...row, score: Number(row.score) }));
}
