import { createEngine } from "@maturity/core";
import { InvalidArgumentError } from "commander";
import { chatName, chatSettings } from "../notifications/chat-settings.ts";
import { makeDigest } from "../notifications/digest/digest.ts";
import { parseSchedule } from "../notifications/digest/schedule.ts";
import type { Period } from "../notifications/digest/sections.ts";
import { textOf, wordsOf } from "../notifications/words.ts";
import { loadRules } from "../policy/policy-file.ts";
import type { Database } from "../store/database.ts";
import type { Define, Env } from "./command.ts";
import { parseConfig } from "./config.ts";
import { loadNotifySettings } from "./notify-settings.ts";
import { printable } from "./print.ts";
import { declaredEngine } from "./serve/scorecards.ts";

/** The default of `--days`. */
const defaultDays = 7;

const dayMs = 86_400_000;

/** Prints the digest of each channel without sending it. */
export const defineDigest: Define = (command, { io, now, onDatabase }) => {
  command
    .option("--days <days>", "how many days it covers, from 1 to 31", wholeDays, defaultDays)
    .addHelpText("after", "\nIt sends nothing, and works without CHAT_BOT_TOKEN and DIGEST.")
    .action(async ({ days }: { days: number }) => {
      const period = { since: new Date(now.getTime() - days * dayMs), until: now };
      await onDatabase((database) => previewDigest(database, io.env, period), "read");
    });
};

function wholeDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 31) return days;
  throw new InvalidArgumentError("It must be a whole number from 1 to 31.");
}

/** Stands for the default channel where none is set. */
const noChannel = "no channel, since CHAT_DEFAULT_CHANNEL is not set";

/**
 * The digest of a period for each channel, as text.
 *
 * @throws OperatorError, ServiceError `store-unavailable`
 */
async function previewDigest(database: Database, env: Env, { since, until }: Period): Promise<string> {
  const schedule = parseSchedule(env.DIGEST || "mon 09:00");
  const { scorecards, applies } = await loadRules(env.POLICY || undefined, (await declaredEngine(env)).scorecards);
  const settings =
    (await loadNotifySettings(parseConfig(env, ["NOTIFY"]))) ??
    chatSettings({ token: "", defaultChannel: env.CHAT_DEFAULT_CHANNEL || noChannel });
  if (!settings.routes.some(({ types }) => types?.includes("digest") ?? true))
    return "There is no digest: no route of NOTIFY takes digest.\n";
  const { historyDays } = parseConfig(env, ["HISTORY_DAYS"]);
  const deps = { database, engine: createEngine(scorecards), applies, historyDays, schedule, settings };
  const messages = await makeDigest(deps, { since, until });
  if (messages.length === 0) return "There is no digest: nothing changed.\n";
  return messages
    .map(({ destination, address, fact }) => {
      const place = [destination === chatName ? "" : destination, address].filter(Boolean).join(" ");
      const text = textOf(wordsOf({ fact, reports: 1, thread: null, at: until, link: null }));
      return `To ${printable(place)}:\n${printable(text)}\n`;
    })
    .join("\n");
}
