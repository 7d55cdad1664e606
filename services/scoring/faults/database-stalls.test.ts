import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { query } from "../test/support/postgres.ts";
import { noFigures } from "./support/figures.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useInstance } from "./support/scene.ts";

/** As long as a checkpoint, or a new file of the log, can keep a database that works from answering. */
const stallMs = 2_000;

test("four clients fill an empty database that stalls for 2 s again and again, and none is refused", async ({
  task,
}) => {
  const { url } = await useOwnPostgres();
  const { address } = await useInstance({ DATABASE_URL: url, LOG_LEVEL: "fatal" });
  const figures = noFigures();
  task.meta.figures = figures;
  let isOver = false;
  const refused: string[] = [];

  async function fill(client: number): Promise<void> {
    for (let batch = 0; !isOver; batch++) {
      const scores = Array.from({ length: 1_000 }, (_, index) => ({
        ...{ area: `area-${client}`, team: `team-${batch}`, app: `app-${index}`, env: "test" },
        ...{ scorecard: "reliability", metric: "mttr", raw: { minutes: index } },
      }));
      const begin = performance.now();
      const response = await fetch(`${address}/scores`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ scores }),
      });
      const text = await response.text();
      figures.slowestMs = Math.max(figures.slowestMs, Math.ceil(performance.now() - begin));
      figures.requests++;
      if (response.status === 200) figures.acknowledged++;
      else refused.push(`${response.status} ${text}`);
    }
  }

  const filled = Promise.all([0, 1, 2, 3].map(fill));
  for (; figures.rounds < 4; figures.rounds++) {
    const acknowledged = figures.acknowledged + 8;
    await vi.waitUntil(() => figures.acknowledged >= acknowledged, { timeout: 60_000 });
    const { rows } = await query(url, "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()");
    for (const { pid } of rows) process.kill(pid, "SIGSTOP");
    await sleep(stallMs);
    for (const { pid } of rows) process.kill(pid, "SIGCONT");
  }
  isOver = true;
  await filled;
  figures.refused = refused.length;
  expect(refused).toEqual([]);
});
