import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { noFigures } from "./support/figures.ts";
import { sendScores } from "./support/numbered-scores.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useInstance } from "./support/scene.ts";

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Rows that another transaction holds, and how. */
const holds: Readonly<Record<string, string>> = {
  "20 rows are locked": `
    SELECT 1 FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE app LIKE 'held-%') FOR UPDATE`,
  "an import rewrites 100,000 rows": `
    INSERT INTO targets (application_id, env, labels)
    SELECT application_id, 'import-' || number, ''
    FROM (SELECT * FROM scores_by_name LIMIT 1) AS one, generate_series(1, 100000) AS number;
    INSERT INTO scores (target_id, metric_id, score, raw, scorer)
    SELECT targets.id, metric_id, score, raw, scorer
    FROM (SELECT * FROM scores LIMIT 1) AS one, targets WHERE labels = '';
    UPDATE scores SET score = score WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE app LIKE 'held-%')`,
};

test.for(Object.entries(holds))(
  "%s: reports of them wait or are refused, and no others",
  async ([_, hold], { task }) => {
    const { url } = await useOwnPostgres();
    const { address } = await useInstance({ DATABASE_URL: url, LOG_LEVEL: "fatal" });
    const [held, others] = [names("held", 20), names("other", 15)];
    const figures = noFigures();
    task.meta.figures = figures;
    await sendScores(address, [...held, ...others], 1);
    const without = await latencies(() => sendScores(address, others, 2), 40);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("BEGIN");
    await holder.query(hold);
    let isHeld = true;
    const refused: number[] = [];
    const reports = (async () => {
      const sent: Promise<unknown>[] = [];
      while (isHeld) {
        sent.push(
          sendScores(address, held, 2).then((answers) => refused.push(...answers.filter((status) => status !== 200))),
        );
        await sleep(200);
      }
      await Promise.all(sent);
    })();
    const statuses = new Set<number>();
    const within = await latencies(async () => {
      for (const status of await sendScores(address, others, 3)) statuses.add(status);
    }, 40);
    expect(statuses).toEqual(new Set([200]));
    await holder.query("ROLLBACK");
    isHeld = false;
    await reports;
    expect(refused.filter((status) => status !== 503)).toEqual([]);
    expect(new Set(await sendScores(address, [...held, ...others], 4))).toEqual(new Set([200]));
    figures.rounds = 1;
    figures.refused = refused.length;
    figures.acknowledged = 40 * others.length;
    figures.slowestMs = Math.ceil(Math.max(...within));
    process.stdout.write(
      `median of a round without: ${median(without)} ms, beside locked rows: ${median(within)} ms\n`,
    );
  },
);

async function latencies(round: () => Promise<unknown>, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < rounds; index++) {
    const begin = performance.now();
    await round();
    times.push(performance.now() - begin);
    await sleep(50);
  }
  return times;
}

function median(times: readonly number[]): number {
  return Math.round([...times].sort((a, b) => a - b)[times.length >> 1] ?? 0);
}
