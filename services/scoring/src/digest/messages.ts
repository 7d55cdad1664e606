import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { slice } from "../http/slices.ts";
import { waiversByScope } from "../rollups/waivers.ts";
import type { Section, Told } from "./sections.ts";

/** A digest for one channel. */
export interface DigestMessage {
  readonly channel: string;
  /** In Slack's mark-up. */
  readonly text: string;
}

/** Finds the channels that hear of an application. */
type ChannelsOf = (app: Pick<Target, "area" | "team" | "app">) => readonly string[];

/** Most lines of a section. */
const shownLines = 8;

/**
 * Writes a digest for each channel of whose applications something is to be told. A line is told wherever an application
 * that it concerns is, and in the default channel if it concerns none.
 *
 * @param since the beginning of the period, as its readers write it
 */
export async function digestMessages(
  sections: readonly Section[],
  apps: readonly Target[],
  channelsOf: ChannelsOf,
  since: string,
): Promise<DigestMessage[]> {
  const linesOf = new Map<string, string[]>();
  for (const { title, lines } of sections) {
    const concerned = new Map<Told, Set<string>>();
    const toldOf = waiversByScope(lines);
    for (const app of apps) {
      await slice();
      for (const told of toldOf(app)) {
        const channels = concerned.get(told) ?? new Set();
        concerned.set(told, channels);
        for (const channel of channelsOf(app)) channels.add(channel);
      }
    }
    const textsOf = new Map<string, string[]>();
    for (const told of lines) {
      await slice();
      const { area, team, app, text } = told;
      for (const channel of concerned.get(told) ?? channelsOf({ area, team: team ?? "", app: app ?? "" })) {
        const texts = textsOf.get(channel);
        if (texts) texts.push(text);
        else textsOf.set(channel, [text]);
      }
    }
    for (const [channel, texts] of textsOf) {
      const shown = texts.slice(0, shownLines).map((text) => `• ${text}`);
      const more = texts.length > shownLines ? [`and ${texts.length - shownLines} more`] : [];
      linesOf.set(channel, [...(linesOf.get(channel) ?? []), `*${title}* (${texts.length})`, ...shown, ...more]);
    }
  }
  return [...linesOf.keys()].sort().map((channel) => ({
    ...{ channel, text: [`*What changed since ${since}*`, ...(linesOf.get(channel) ?? [])].join("\n") },
  }));
}

/**
 * Reads which channels hear of which applications: those that the problems of an application name, else those that the
 * problems of its team name, else the default channel, if there is one.
 */
export async function readChannels(reads: Knex, defaultChannel: string | undefined): Promise<ChannelsOf> {
  const { rows } = await reads.raw(`
    SELECT DISTINCT area, team, app, chat_channel AS channel FROM problems_by_name
    WHERE chat_channel IS NOT NULL ORDER BY area, team, app, channel
  `);
  const named = rows as (Pick<Target, "area" | "team" | "app"> & { readonly channel: string })[];
  const ofApps = Map.groupBy(named, ({ area, team, app }) => JSON.stringify([area, team, app]));
  const ofTeams = Map.groupBy(named, ({ area, team }) => JSON.stringify([area, team]));
  return ({ area, team, app }) => {
    const found = ofApps.get(JSON.stringify([area, team, app])) ?? ofTeams.get(JSON.stringify([area, team]));
    if (found) return [...new Set(found.map(({ channel }) => channel))];
    return defaultChannel === undefined ? [] : [defaultChannel];
  };
}
