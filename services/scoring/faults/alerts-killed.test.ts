import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { noneWaits, retryNow } from "../test/support/alert-rows.ts";
import { type ChatReply, useChatServer } from "../test/support/chat-server.ts";
import { query } from "../test/support/postgres.ts";
import { runCommand } from "../test/support/service-command.ts";
import { duplicates, hasty, misplaced, missing, strange } from "./support/arrival.ts";
import { noFigures } from "./support/figures.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { announcedBy, startReporters } from "./support/reports.ts";
import { useInstance } from "./support/scene.ts";

const ok = { ok: true } as const;

/** What the chat server answers, in turn. */
const answers: readonly ChatReply[] = [
  ...[ok, { status: 429, retryAfter: 2 }, ok, { status: 500 }, ok, { hangUp: "after" }, ok, { hangUp: "reset" }, ok],
  ...[{ error: "invalid_auth" }, ok, { hangUp: "before" }, ok, ok, { hangUp: "never" }, ok, ok],
] as const;

const scanners = 8;

/** When the processes are killed, in milliseconds after a message was accepted. The first is while it is on its way. */
const moments = [undefined, 0, 3, 10, 40, 300, 700, 950] as const;

/** How long the alerts may take that are still under way at the end: tries have pauses, and the machine may be busy. */
const arrivalLimitMs = 120_000;

test("the chat server fails in every way, and the service is killed", { timeout: 420_000 }, async ({ task }) => {
  const { url } = await useOwnPostgres();
  let healed = false;
  let accepted = Promise.withResolvers<void>();
  let beforeAnswer: (() => Promise<void>) | undefined;
  const chat = await useChatServer(async (_, count) => {
    const answer = healed ? ok : (answers[count % answers.length] ?? ok);
    if ("ok" in answer) {
      await beforeAnswer?.();
      accepted.resolve();
    }
    return answer;
  });
  const environment = { DATABASE_URL: url, LOG_LEVEL: "fatal", CHAT_BOT_TOKEN: "xoxb-1", CHAT_API_URL: chat.url };
  const instances = [await useInstance(environment), await useInstance(environment)];
  const addresses = instances.map(({ address }) => address);
  const reporters = startReporters({ addresses, scanners, pauseMs: 1_500 });
  const { reports } = reporters;
  const figures = noFigures();
  task.meta.figures = figures;

  const killAll = async () => void (await Promise.all(instances.map((instance) => instance.kill())));
  const acknowledged = () => reports.filter(({ outcome }) => outcome === "acknowledged").length;
  for (const moment of moments) {
    const before = acknowledged();
    await vi.waitUntil(() => acknowledged() >= before + 2 * scanners, { timeout: arrivalLimitMs });
    accepted = Promise.withResolvers();
    if (moment === undefined) beforeAnswer = killAll;
    await accepted.promise;
    beforeAnswer = undefined;
    if (moment !== undefined) {
      await sleep(moment);
      await killAll();
    }
    await letGo(url);
    for (const instance of instances) await instance.start();
    for (const instance of instances) await instance.listening();
    figures.rounds++;
  }
  await reporters.stop();
  await vi.waitUntil(() => chat.calls.length > answers.length, { timeout: arrivalLimitMs });
  healed = true;
  /** Reports that a person saw in the list. Those of problems that were resolved since are not announced after that. */
  const deadLetters: string[] = [];
  await vi.waitUntil(
    async () => {
      await retryNow(url);
      if (!(await noneWaits(url))) return false;
      const listed = (await runCommand(["notifications", "list", "--json"], { DATABASE_URL: url })).stdout;
      deadLetters.push(
        ...listed
          .split("\n")
          .slice(0, -1)
          .map((letter) => announcedBy(JSON.parse(letter))),
      );
      const { stdout } = await runCommand(["notifications", "retry", "--all"], { DATABASE_URL: url });
      return stdout === "Notifications put back: 0.\n";
    },
    { timeout: arrivalLimitMs, interval: 500 },
  );

  const messages = chat.messages();
  const unanswered = messages.filter(({ reply }) => !("ok" in reply)).length;
  const lost = missing(reports, messages, deadLetters);
  const of = (outcome: string) => reports.filter((report) => report.outcome === outcome).length;
  Object.assign(figures, {
    ...{
      requests: reports.length,
      acknowledged: of("acknowledged"),
      refused: of("refused"),
      broken: of("unknown") + of("unsent"),
    },
    ...{ rejected: of("rejected"), lost: lost.length },
    ...{ messages: messages.length, duplicates: duplicates(messages) },
  });
  expect(lost, "acknowledged reports without a message").toEqual([]);
  expect(strange(reports, messages), "messages of reports that were rejected").toEqual([]);
  expect(misplaced(reports, messages, deadLetters)).toEqual([]);
  expect(hasty(messages)).toEqual([]);
  expect(reporters.wrong).toEqual([]);
  expect(duplicates(messages)).toBeLessThanOrEqual(unanswered + moments.length * scanners);
});

/** Ends the turns of the killed processes, as it would be after 30 seconds; the channels rest as after a message. */
async function letGo(databaseUrl: string): Promise<void> {
  const lapsed = "least(busy_until, now() + interval '1 second')";
  await query(databaseUrl, `UPDATE notification_addresses SET busy_until = ${lapsed}`);
}
