import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { retryNow } from "../test/support/alert-rows.ts";
import { freePort, query } from "../test/support/postgres.ts";
import { useTcpProxy } from "../test/support/tcp-proxy.ts";
import { unannounced } from "./support/arrival.ts";
import { useEveryKind } from "./support/every-kind.ts";
import { noFigures } from "./support/figures.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { nameOf, startReporters } from "./support/reports.ts";
import { useInstance } from "./support/scene.ts";

const limits = { timeout: 120_000, interval: 20 };

test("the database is cut off again and again: a report is announced if and only if it is stored", {
  timeout: 360_000,
}, async ({ task }) => {
  const { url } = await useOwnPostgres();
  const proxy = useTcpProxy(url, await freePort());
  await proxy.open();
  const { environment, taken, takenOrWaiting } = await useEveryKind();
  const { address } = await useInstance({ DATABASE_URL: proxy.url, LOG_LEVEL: "fatal", ...environment });
  const reporters = startReporters({ addresses: [address], scanners: 20, pauseMs: 300, once: true });
  const { reports } = reporters;
  const figures = noFigures();
  task.meta.figures = figures;
  const of = (outcome: string) => reports.filter((report) => report.outcome === outcome).length;
  for (let round = 0; round < 100; round++) {
    const sent = reports.length;
    await vi.waitUntil(() => reports.length > sent + 5, limits);
    proxy.cut();
    figures.rounds++;
  }
  await vi.waitUntil(() => of("refused") > 0, limits);
  await reporters.stop();
  const stored = async () => {
    const { rows } = await query(url, "SELECT app, count FROM problems_by_name");
    return new Set<string>(rows.map(nameOf));
  };
  await vi.waitUntil(async () => {
    await retryNow(url);
    return isQuickSent(url);
  }, limits);
  const acknowledged = reports.filter(({ outcome }) => outcome === "acknowledged");
  for (const [kind, names] of Object.entries(await takenOrWaiting(url))) {
    expect([kind, new Set(names)]).toEqual([kind, await stored()]);
    const lost = unannounced(acknowledged, names);
    expect([kind, lost]).toEqual([kind, []]);
  }
  const names = Object.values(taken()).flat();
  Object.assign(figures, {
    ...{ requests: reports.length, acknowledged: acknowledged.length, refused: of("refused") },
    ...{ broken: of("unknown") + of("unsent"), messages: names.length },
  });
});

/** Whether nothing waits for the kinds that take many messages a second. The others are slow on purpose. */
async function isQuickSent(url: string): Promise<boolean> {
  const { rows } = await query(
    url,
    "SELECT count(*)::int AS count FROM notifications WHERE dead_since IS NULL AND destination IN ('slack', 'webhook')",
  );
  return rows[0].count === 0;
}

test("the tables are locked: a report that is refused is never announced", { timeout: 360_000 }, async ({ task }) => {
  const { url } = await useOwnPostgres();
  const { environment, taken, takenOrWaiting } = await useEveryKind();
  const { address } = await useInstance({ DATABASE_URL: url, LOG_LEVEL: "fatal", ...environment });
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  const reporters = startReporters({ addresses: [address], scanners: 8, pauseMs: 300, once: true });
  const { reports } = reporters;
  const figures = noFigures();
  task.meta.figures = figures;
  const of = (outcome: string) => reports.filter((report) => report.outcome === outcome);
  for (let round = 0; round < 3; round++) {
    const acknowledged = of("acknowledged").length;
    await vi.waitUntil(() => of("acknowledged").length > acknowledged + 10, limits);
    await holder.query("BEGIN; LOCK TABLE problems IN ACCESS EXCLUSIVE MODE");
    const refused = of("refused").length;
    await vi.waitUntil(() => of("refused").length > refused + 20, limits);
    await holder.query("COMMIT");
    figures.rounds++;
  }
  await reporters.stop();
  await vi.waitUntil(() => isQuickSent(url), limits);
  const refused = new Set(of("refused").map(nameOf));
  for (const [kind, names] of Object.entries(await takenOrWaiting(url))) {
    expect([kind, names.filter((name) => refused.has(name))]).toEqual([kind, []]);
    expect([kind, unannounced(of("acknowledged"), names)]).toEqual([kind, []]);
  }
  Object.assign(figures, {
    ...{ requests: reports.length, acknowledged: of("acknowledged").length, refused: of("refused").length },
    messages: Object.values(taken()).flat().length,
  });
  expect([taken().slack, taken().webhook].map((names = []) => names.length - new Set(names).size)).toEqual([0, 0]);
});
