import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { alertRows } from "../test/support/alert-rows.ts";
import { type ChatReply, useChatServer } from "../test/support/chat-server.ts";
import { runCommand, startCommand } from "../test/support/service-command.ts";
import { duplicates, missing } from "./support/arrival.ts";
import { noFigures } from "./support/figures.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { startReporters } from "./support/reports.ts";
import { useInstance } from "./support/scene.ts";

const limits = { timeout: 120_000, interval: 100 };

test("the token is revoked, and the command that puts the alerts back is killed", { timeout: 360_000 }, async ({
  task,
}) => {
  const { url } = await useOwnPostgres();
  let answer: ChatReply = { error: "invalid_auth" };
  const chat = await useChatServer(() => answer);
  const { address } = await useInstance({
    ...{ DATABASE_URL: url, LOG_LEVEL: "fatal", CHAT_BOT_TOKEN: "xoxb-1", CHAT_API_URL: chat.url },
  });
  const reporters = startReporters({ addresses: [address], scanners: 30, pauseMs: 100, once: true });
  const { reports } = reporters;
  await vi.waitUntil(() => reports.length > 100, limits);
  await reporters.stop();
  const inState = async (wanted: "waiting" | "dead") => (await alertRows(url)).filter(({ state }) => state === wanted);
  await vi.waitUntil(async () => (await inState("waiting")).length === 0, limits);
  expect(chat.messages()).toEqual([]);
  const listed = (await runCommand(["notifications", "list", "--json"], { DATABASE_URL: url })).stdout
    .trim()
    .split("\n");
  expect(listed).toHaveLength(reports.length);
  expect(new Set(listed.map((line) => JSON.parse(line).reason))).toEqual(new Set(["invalid_auth"]));

  answer = { ok: true };
  const figures = noFigures();
  task.meta.figures = figures;
  for (let left = reports.length; left > 0; left = (await inState("dead")).length) {
    const command = startCommand(["notifications", "retry", "--all"], { DATABASE_URL: url });
    const ended = once(command, "close");
    await vi.waitUntil(async () => (await inState("dead")).length < left || command.exitCode !== null, limits);
    await sleep(figures.rounds);
    command.kill("SIGKILL");
    await ended;
    figures.rounds++;
  }
  await vi.waitUntil(async () => (await inState("waiting")).length === 0, limits);
  const messages = chat.messages();
  Object.assign(figures, {
    ...{ requests: reports.length, acknowledged: reports.length, lost: missing(reports, messages).length },
    ...{ messages: messages.length, duplicates: duplicates(messages) },
  });
  expect(missing(reports, messages)).toEqual([]);
  expect(duplicates(messages)).toBe(0);
});
