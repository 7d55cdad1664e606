import { chatSettings } from "../../src/notifications/chat-settings.ts";
import { type DigestDependencies, makeDigest } from "../../src/notifications/digest/digest.ts";
import type { Schedule } from "../../src/notifications/digest/schedule.ts";
import { slackText } from "../../src/notifications/kinds/slack.ts";
import { newScore } from "./new-score.ts";
import { saveScores } from "./save-scores.ts";
import { shippedEngine, type TestService } from "./service.ts";

export const dayMs = 86_400_000;

/** Due at the last full second, and shown as a day. */
export const always: Schedule = {
  lastDue: (now) => new Date(Math.floor(Number(now) / 1_000) * 1_000),
  show: (time) => time.toISOString().slice(0, 10),
};

export const daysAgo = (days: number): Date => new Date(Date.now() - days * dayMs);

const platform = chatSettings({ token: "xoxb-1", defaultChannel: "#platform" });

/** What digests are made from, for the channel #platform. */
export function depsOf(
  { database }: Pick<TestService, "database">,
  schedule: Schedule = always,
  historyDays: number = 400,
): DigestDependencies {
  return { database, engine: shippedEngine, historyDays, schedule, settings: platform };
}

/** What each channel is named the last week, without the line of the title. */
export async function announced(service: TestService): Promise<Record<string, string[]>> {
  const messages = await makeDigest(depsOf(service), { since: daysAgo(7), until: new Date() });
  return Object.fromEntries(
    messages.map(({ address, fact }) => {
      const text = slackText({ ...{ id: "", at: new Date(), reports: 1, thread: null, link: null }, address, fact });
      return [address, text.split("\n").slice(1)];
    }),
  );
}

/** Stores a score of an application in prod. */
export async function store(service: TestService, app: string, score: number, rest: object = {}): Promise<void> {
  await saveScores(service.database.knex, [
    newScore({
      area: "shop",
      team: "checkout",
      app,
      env: "prod",
      scorecard: "security",
      metric: "sast",
      score,
      ...rest,
    }),
  ]);
}
