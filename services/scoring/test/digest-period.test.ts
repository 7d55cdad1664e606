import { expect, test } from "vitest";
import { queueDue } from "../src/notifications/digest/digest.ts";
import { ageScores, missDays, writeDays } from "./support/days.ts";
import { announced, dayMs, daysAgo, depsOf, store } from "./support/digests.ts";
import { useService } from "./support/service.ts";

test.each([
  ["is recorded", true],
  ["is not recorded", false],
])("a digest begins at the time of the last one, also where the day of that %s", async (_, isRecorded) => {
  const service = await useService();
  const { knex } = service.database;
  await store(service, "before", 0);
  await store(service, "after", 100);
  await ageScores(knex, 3);
  await store(service, "before", 100);
  await store(service, "after", 0);
  await ageScores(knex, 7 + 30_000 / dayMs); // half a minute before the last digest, on its day
  await store(service, "after", 100);
  if (isRecorded) {
    await missDays(knex, 9);
    await writeDays(service.database);
  }
  const better = "• shop/checkout/after (prod) 0 → 100 (+100): security.sast 0 → 100";
  expect(await announced(service)).toEqual({ "#platform": ["*Better* (1)", better] });
});

test("a digest begins where the last one ended, but a month ago at most, and within the history", async () => {
  const service = await useService({ chat: { token: "xoxb-1" } });
  const due = daysAgo(0);
  const since: string[] = [];
  const schedule = { lastDue: () => due, show: (time: Date) => String(since.push(time.toISOString().slice(0, 10))) };
  for (const [days, historyDays] of [
    [9, 400],
    [400, 400],
    [400, 10],
  ]) {
    await service.database.knex.raw(`UPDATE digested_until SET due_at = now() - interval '${days} days'`);
    await queueDue(depsOf(service, schedule, historyDays));
  }
  expect(since).toEqual([daysAgo(9), daysAgo(31), daysAgo(9)].map((time) => time.toISOString().slice(0, 10)));
});
