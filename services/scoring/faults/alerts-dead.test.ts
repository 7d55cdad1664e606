import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { alertRows } from "../test/support/alert-rows.ts";
import { runCommand, startCommand } from "../test/support/service-command.ts";
import { unannounced } from "./support/arrival.ts";
import { useEveryKind } from "./support/every-kind.ts";
import { noFigures } from "./support/figures.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { startReporters } from "./support/reports.ts";
import { useInstance } from "./support/scene.ts";

const limits = { timeout: 120_000, interval: 100 };

test("each kind of destination refuses for ever, and the command that puts the dead letters back is killed", {
  timeout: 360_000,
}, async ({ task }) => {
  const { url } = await useOwnPostgres();
  let refuses = true;
  const { environment, taken } = await useEveryKind(() => refuses);
  const kinds = Object.keys(taken());
  const { address } = await useInstance({ DATABASE_URL: url, LOG_LEVEL: "fatal", ...environment });
  const reporters = startReporters({ addresses: [address], scanners: 30, pauseMs: 100, once: true });
  const { reports } = reporters;
  await vi.waitUntil(() => reports.length > 30, limits); // Teams gets one a second
  await reporters.stop();
  const inState = async (wanted: "waiting" | "dead") => (await alertRows(url)).filter(({ state }) => state === wanted);
  await vi.waitUntil(async () => (await inState("waiting")).length === 0, limits);
  expect(Object.values(taken()).flat()).toEqual([]);
  const listed = (await runCommand(["notifications", "list", "--json"], { DATABASE_URL: url })).stdout
    .trim()
    .split("\n");
  expect(listed).toHaveLength(kinds.length * reports.length);
  const reasons = new Set(["invalid_auth", "HTTP status 410", "SMTP status 550"]);
  expect(new Set(listed.map((line) => JSON.parse(line).reason))).toEqual(reasons);

  refuses = false;
  const figures = noFigures();
  task.meta.figures = figures;
  for (let left = listed.length; left > 0; left = (await inState("dead")).length) {
    const command = startCommand(["notifications", "retry", "--all"], { DATABASE_URL: url });
    const ended = once(command, "close");
    await vi.waitUntil(async () => (await inState("dead")).length < left || command.exitCode !== null, limits);
    await sleep(figures.rounds);
    command.kill("SIGKILL");
    await ended;
    figures.rounds++;
  }
  await vi.waitUntil(async () => (await inState("waiting")).length === 0, limits);
  for (const [kind, names] of Object.entries(taken())) {
    const repeated = names.length - new Set(names).size;
    const lost = unannounced(reports, names);
    figures.messages += names.length;
    figures.duplicates += repeated;
    figures.lost += lost.length;
    expect([kind, lost, repeated]).toEqual([kind, [], 0]);
  }
  Object.assign(figures, { requests: reports.length, acknowledged: reports.length });
});
