import type { Target } from "@maturity/core";
import type { Knex } from "knex";

/** Finds the channels that hear of an application. */
export type ChannelsOf = (app: Pick<Target, "area" | "team" | "app">) => readonly string[];

/**
 * Reads which channels hear of which applications: those that the problems of an application name, else those that the
 * problems of its team name, else the default channel, if there is one.
 */
export async function readChannels(reads: Knex, defaultChannel: string | undefined): Promise<ChannelsOf> {
  const { rows } = await reads.raw(
    `
    SELECT DISTINCT area, team, app, chat_channel AS channel FROM problems_by_name
    WHERE chat_channel IS NOT NULL
    ORDER BY area, team, app, channel
    `,
  );
  const known = new Map<string, Set<string>>();
  for (const { area, team, app, channel } of rows) {
    for (const names of [
      [area, team, app],
      [area, team],
    ].map((names) => JSON.stringify(names))) {
      known.set(names, (known.get(names) ?? new Set()).add(channel));
    }
  }
  const otherwise = defaultChannel === undefined ? [] : [defaultChannel];
  return ({ area, team, app }) => [
    ...(known.get(JSON.stringify([area, team, app])) ?? known.get(JSON.stringify([area, team])) ?? otherwise),
  ];
}
