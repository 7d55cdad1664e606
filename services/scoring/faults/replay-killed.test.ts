import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "../src/store/database.ts";
import { newScore } from "../test/support/new-score.ts";
import { useOtherVersion } from "../test/support/other-version.ts";
import { query } from "../test/support/postgres.ts";
import { saveScores } from "../test/support/save-scores.ts";
import { shippedEngine } from "../test/support/service.ts";
import { startCommand } from "../test/support/service-command.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useScene } from "./support/scene.ts";

/** Scores that nobody reports again, so that a replay takes long enough to be killed. */
const resting = 5_000;

async function seed(url: string): Promise<void> {
  const database = openDatabase(url, 1);
  const raw = { minutes: 500 };
  const { score, scorer } = shippedEngine.score("reliability", "mttr", raw);
  const key = { area: "resting", scorecard: "reliability", metric: "mttr" };
  for (let first = 0; first < resting; first += 500) {
    const apps = Array.from({ length: 500 }, (_, index) => `app-${first + index}`);
    await saveScores(
      database.knex,
      apps.map((app) => newScore({ ...key, app, raw, score, scorer })),
    );
  }
  await database.close();
}

function startReplay(url: string, directory: string) {
  const child = startCommand(["replay", "--apply", "--format", "csv"], { DATABASE_URL: url }, "ignore", directory);
  const ended = once(child, "close");
  child.stdout?.resume();
  child.stderr?.resume();
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { kill: () => child.kill("SIGKILL"), ended };
}

test("a replay and the service are killed: no newer report is overwritten, and the next run goes on", {
  timeout: 900_000,
}, async (context) => {
  const { url } = await useOwnPostgres();
  const scene = await useScene(context, { databaseUrl: url });
  await seed(url);
  const count = async (version: string, area = "resting"): Promise<number> => {
    const { rows } = await query(
      url,
      "SELECT count(*)::int AS count FROM scores_by_name WHERE area = $1 AND scorer = $2",
      [area, `@maturity/reliability@${version}`],
    );
    return rows[0].count;
  };
  let cutShort = 0;
  for (const version of ["9.9.1", "9.9.2", "9.9.3"]) {
    const directory = await useOtherVersion(version);
    await scene.round(async () => {
      const first = startReplay(url, directory);
      await vi.waitUntil(async () => (await count(version)) > 0, { timeout: 60_000, interval: 1 });
      first.kill();
      await first.ended;
      const written = await count(version);
      if (written < resting) cutShort++;
      const second = startReplay(url, directory);
      await vi.waitUntil(async () => (await count(version)) > written || written === resting, {
        timeout: 60_000,
        interval: 1,
      });
      await scene.instances[0]?.kill();
      await scene.more("broken", 20);
      await scene.instances[0]?.start();
      await second.ended;
      expect(await count(version)).toBe(resting);
    });
  }
  expect(cutShort).toBeGreaterThan(0);
  const last = startReplay(url, await useOtherVersion("9.9.5"));
  expect(await last.ended).toEqual([0, null]);
  const { rows } = await query(url, "SELECT DISTINCT scorer FROM scores_by_name");
  expect(rows).toEqual([{ scorer: "@maturity/reliability@9.9.5" }]);
  await scene.finish();
});
