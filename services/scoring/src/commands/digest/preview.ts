import { createEngine } from "@maturity/core";
import { makeDigest, sinceKept } from "../../digest/digest.ts";
import { parseSchedule } from "../../digest/schedule.ts";
import type { Period } from "../../digest/sections.ts";
import { loadRules } from "../../policy/load.ts";
import type { Database } from "../../store/database.ts";
import { parseHistoryDays } from "../config.ts";
import { declaredScorecards } from "../policy/check.ts";
import { printable } from "../print.ts";

/** In place of the default channel. */
const nobody = "nobody, since CHAT_DEFAULT_CHANNEL is not set";

/**
 * The digest of a period for each channel, as text.
 *
 * @throws ConfigError, ServiceError `store-unavailable`
 */
export async function previewDigest(
  database: Database,
  env: Readonly<Record<string, string | undefined>>,
  { since, until }: Period,
): Promise<string> {
  const schedule = parseSchedule(env.DIGEST || "mon 09:00");
  const { scorecards } = await loadRules(env.POLICY || undefined, await declaredScorecards(env));
  const defaultChannel = env.CHAT_DEFAULT_CHANNEL || nobody;
  const historyDays = parseHistoryDays(env);
  const deps = { database, engine: createEngine(scorecards), historyDays, schedule, defaultChannel };
  const messages = await makeDigest(deps, { since: sinceKept(since, until, historyDays), until });
  if (messages.length === 0) return "There is nothing to tell to any channel.\n";
  return messages.map(({ channel, text }) => `To ${printable(channel)}:\n${printable(text)}\n`).join("\n");
}
