import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { noneWaits, retryNow } from "../test/support/alert-rows.ts";
import { useChatServer } from "../test/support/chat-server.ts";
import { freePort, query } from "../test/support/postgres.ts";
import { useTcpProxy } from "../test/support/tcp-proxy.ts";
import { duplicates, missing } from "./support/arrival.ts";
import { noFigures } from "./support/figures.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { announcedBy, nameOf, startReporters } from "./support/reports.ts";
import { useInstance } from "./support/scene.ts";

const limits = { timeout: 120_000, interval: 20 };

test("the database is cut off again and again: a report is announced if and only if it is stored", {
  timeout: 360_000,
}, async ({ task }) => {
  const { url } = await useOwnPostgres();
  const proxy = useTcpProxy(url, await freePort());
  await proxy.open();
  const chat = await useChatServer();
  const { address } = await useInstance({
    ...{ DATABASE_URL: proxy.url, LOG_LEVEL: "fatal", CHAT_BOT_TOKEN: "xoxb-1", CHAT_API_URL: chat.url },
  });
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
    return noneWaits(url);
  }, limits);
  const messages = chat.messages();
  const lost = missing(reports, messages).length;
  Object.assign(figures, {
    ...{
      requests: reports.length,
      acknowledged: of("acknowledged"),
      refused: of("refused"),
      broken: of("unknown") + of("unsent"),
      lost,
    },
    ...{ messages: messages.length, duplicates: duplicates(messages) },
  });
  expect(new Set(messages.map(announcedBy))).toEqual(await stored());
  expect(lost).toBe(0);
});

test("the tables are locked: a report that is refused is never announced", { timeout: 360_000 }, async ({ task }) => {
  const { url } = await useOwnPostgres();
  const chat = await useChatServer();
  const { address } = await useInstance({
    ...{ DATABASE_URL: url, LOG_LEVEL: "fatal", CHAT_BOT_TOKEN: "xoxb-1", CHAT_API_URL: chat.url },
  });
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
  await vi.waitUntil(() => noneWaits(url), limits);
  const messages = chat.messages();
  const announced = new Set(messages.map(announcedBy));
  Object.assign(figures, {
    ...{ requests: reports.length, acknowledged: of("acknowledged").length, refused: of("refused").length },
    ...{ lost: missing(reports, messages).length, messages: messages.length, duplicates: duplicates(messages) },
  });
  expect(
    of("refused")
      .map(nameOf)
      .filter((name) => announced.has(name)),
  ).toEqual([]);
  expect(missing(reports, messages)).toEqual([]);
  expect(duplicates(messages)).toBe(0);
});
