import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { yieldToEventLoop } from "../http/slices.ts";
import { type AppName, appKey } from "../model/app-name.ts";
import { waiversByScope } from "../rollups/waivers.ts";
import type { Line, Section } from "./sections.ts";

/** A digest for one channel. */
export interface DigestMessage {
  readonly channel: string;
  /** In Slack's mark-up. */
  readonly text: string;
}

/** Finds the channels that get the lines about an application. */
type ChannelsOf = (app: AppName) => readonly string[];

/** The largest number of lines that a message shows of a section. */
const shownLines = 8;

/**
 * Writes a digest for each channel that has lines. A line goes to the channels of all applications that it concerns; a line
 * that concerns no application goes to the channel of its scope.
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
    const channelsOfLine = new Map<Line, Set<string>>();
    const linesAbout = waiversByScope(lines);
    for (const app of apps) {
      await yieldToEventLoop();
      for (const line of linesAbout(app)) {
        const channels = channelsOfLine.get(line) ?? new Set();
        channelsOfLine.set(line, channels);
        for (const channel of channelsOf(app)) channels.add(channel);
      }
    }
    const textsOf = new Map<string, string[]>();
    for (const line of lines) {
      await yieldToEventLoop();
      const { area, team, app, text } = line;
      for (const channel of channelsOfLine.get(line) ?? channelsOf({ area, team: team ?? "", app: app ?? "" })) {
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
  return [...linesOf]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([channel, lines]) => ({
      channel,
      text: [`*What changed since ${since}*`, ...lines].join("\n"),
    }));
}

/**
 * Reads the channels of applications: the channels that the problems of the application name, else those that the problems
 * of its team name, else the default channel.
 */
export async function readChannels(reads: Knex, defaultChannel: string | undefined): Promise<ChannelsOf> {
  const { rows } = await reads.raw(`
    SELECT DISTINCT area, team, app, chat_channel AS channel FROM problems_by_name
    WHERE chat_channel IS NOT NULL ORDER BY area, team, app, channel
  `);
  const named = rows as (AppName & { readonly channel: string })[];
  const byApp = Map.groupBy(named, appKey);
  const byTeam = Map.groupBy(named, ({ area, team }) => JSON.stringify([area, team]));
  return (app) => {
    const found = byApp.get(appKey(app)) ?? byTeam.get(JSON.stringify([app.area, app.team]));
    if (found) return [...new Set(found.map(({ channel }) => channel))];
    return defaultChannel === undefined ? [] : [defaultChannel];
  };
}
