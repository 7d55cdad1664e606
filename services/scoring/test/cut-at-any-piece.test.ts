import { expect, test, vi } from "vitest";
import { openDatabase } from "../src/store/database.ts";
import { jobs, state } from "./support/jobs.ts";
import { freePort, query, withDatabase } from "./support/postgres.ts";
import { createDatabase } from "./support/service.ts";
import { useTcpProxy } from "./support/tcp-proxy.ts";

/** How many moments of a job are tried, each before and after the server has what was sent. */
const moments = 12;

test.each(Object.entries(jobs))(
  "%s that is cut off at any piece of what it sends is whole when it is run again",
  {
    timeout: 900_000,
  },
  async (_, job) => {
    const baseUrl = await createDatabase("postgres");
    const base = openDatabase(baseUrl, 2);
    await job.prepare(base);
    const before = await job.state(base);
    await base.close();
    const name = new URL(baseUrl).pathname.slice(1);

    /** Runs the job on a database of its own. @returns how many pieces it sent, and what it left */
    async function run(piece: number, when: "before" | "after") {
      const own = `${name}_${when}_${piece}`.toLowerCase();
      await query(withDatabase(baseUrl, "postgres"), `CREATE DATABASE ${own} TEMPLATE ${name}`);
      const url = withDatabase(baseUrl, own);
      const proxy = useTcpProxy(url, await freePort());
      await proxy.open();
      proxy.cutAt(piece, when);
      const cut = openDatabase(proxy.url, 2);
      const outcome = await job.run(cut).then(
        () => "done",
        () => "failed",
      );
      const sent = proxy.sent();
      await proxy.shut();
      await cut.close();
      const direct = openDatabase(url, 2);
      // The server may still be at work for a client that is gone.
      await vi.waitUntil(
        async () =>
          (
            await state(
              direct,
              "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
          ).length === 0,
        { timeout: 30_000 },
      );
      const left = await job.state(direct);
      await job.run(direct);
      const again = await job.state(direct);
      await direct.close();
      await query(withDatabase(baseUrl, "postgres"), `DROP DATABASE ${own}`);
      return { outcome, sent, left, again };
    }

    const whole = await run(Number.POSITIVE_INFINITY, "before");
    expect(whole.outcome).toBe("done");
    expect(whole.left).not.toEqual(before);
    expect(whole.again).toEqual(whole.left);
    let failed = 0;
    const step = Math.ceil(whole.sent / moments);
    for (let piece = 1; piece <= whole.sent; piece += step) {
      for (const when of ["before", "after"] as const) {
        const { outcome, left, again } = await run(piece, when);
        if (outcome === "failed") failed++;
        else expect(left, `${when} ${piece}`).toEqual(whole.left);
        if (job.isAtomic) expect([before, whole.left], `${when} ${piece}`).toContainEqual(left);
        expect(again, `${when} ${piece}`).toEqual(whole.left);
      }
    }
    expect(failed).toBeGreaterThan(whole.sent / step);
  },
);
