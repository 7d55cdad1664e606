import { onTestFailed, test } from "vitest";
import { expectMovesKeepAll } from "../test/support/moves/run.ts";
import { query } from "../test/support/postgres.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { type Instance, useInstance } from "./support/scene.ts";

const moves = Number(process.env.MOVES ?? 500);

test("moves at random while reports come in, instances are killed and connections end", async () => {
  const { url } = await useOwnPostgres();
  const start = () => useInstance({ DATABASE_URL: url, LOG_LEVEL: "error" });
  const instances = [await start(), await start()];
  onTestFailed(() => {
    const faults = instances
      .flatMap(({ log }) => log())
      .filter((line) => !JSON.stringify(line).includes("store-unavailable"));
    process.stdout.write(`${faults.map((line) => JSON.stringify(line)).join("\n")}\n`);
  });
  let returning: Promise<unknown> = Promise.resolve();
  let [kills, ends] = [0, 0];

  /** The other instance takes all requests meanwhile. */
  async function kill(instance: Instance): Promise<void> {
    await instance.kill();
    kills++;
    returning = instance.start().then(() => instance.listening());
  }

  async function endConnections(): Promise<void> {
    const { rows } = await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name IN ('maturity-service', 'maturity-service background')`,
    );
    if (rows.length > 0) ends++;
  }

  await expectMovesKeepAll({
    ...{ databaseUrl: url, addresses: instances.map(({ address }) => address), moves },
    async disturb(number, action) {
      const looks = 1 + (number % 13);
      if (number % 25 !== 12 && number % 10 !== 5) return;
      await returning;
      await action.inside(looks);
      if (number % 25 === 12) {
        await kill(instances[action.instance % instances.length] as Instance);
      } else {
        await endConnections();
      }
    },
    settle: () => returning.then(() => {}),
  });
  process.stdout.write(`${kills} instances killed, connections ended ${ends} times\n`);
});
