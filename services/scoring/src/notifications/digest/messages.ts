import type { Target } from "@maturity/core";
import type { Knex } from "knex";
import { type AppName, appKey } from "../../model/app-name.ts";
import type { Fact } from "../../model/fact.ts";
import { waiversByScope } from "../../rollups/waivers.ts";
import { registeredApps } from "../../store/apps.ts";
import { yieldToEventLoop } from "../../store/slices.ts";
import type { NewNotification } from "../outbox.ts";
import { type NotifySettings, notRegistered, type Place, placesOf, type Registered } from "../routes.ts";
import type { DigestSection } from "../words.ts";
import type { Line, Section } from "./sections.ts";

/** Finds the places that get the lines about an application, a team or an area. */
type PlacesOf = (app: AppName) => readonly Place[];

/** The largest number of lines that a message shows of a section. */
const shownLines = 8;

/**
 * Makes a digest for each place that has lines. A line goes to the places of all applications that it concerns; a line that
 * concerns no application goes to the places of its scope.
 *
 * @param subject of all these digests
 * @param since the beginning of the period, as its readers write it
 */
export async function digestMessages(
  sections: readonly Section[],
  apps: readonly Target[],
  placesOf: PlacesOf,
  { subject, since }: { readonly subject: string; readonly since: string },
): Promise<NewNotification[]> {
  const announced = new Map<string, Place & { readonly sections: DigestSection[] }>();
  for (const { title, lines } of sections) {
    const placesOfLine = new Map<Line, Map<string, Place>>();
    const add = (line: Line, places: readonly Place[]) => {
      const known = placesOfLine.get(line) ?? new Map<string, Place>();
      placesOfLine.set(line, known);
      for (const place of places) known.set(keyOf(place), place);
    };
    const linesAbout = waiversByScope(lines);
    for (const app of apps) {
      await yieldToEventLoop();
      for (const line of linesAbout(app)) add(line, placesOf(app));
    }
    const textsOf = new Map<string, string[]>();
    for (const line of lines) {
      await yieldToEventLoop();
      const { area, team, app, text } = line;
      if (!placesOfLine.has(line)) add(line, placesOf({ area, team: team ?? "", app: app ?? "" }));
      for (const [key, place] of placesOfLine.get(line) ?? []) {
        if (!announced.has(key)) announced.set(key, { ...place, sections: [] });
        const texts = textsOf.get(key);
        if (texts) texts.push(text);
        else textsOf.set(key, [text]);
      }
    }
    for (const [key, texts] of textsOf) {
      announced.get(key)?.sections.push({ title, total: texts.length, lines: texts.slice(0, shownLines) });
    }
  }
  return [...announced]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { sections, ...place }]) => ({ ...place, fact: { ...noNames, subject, data: { since, sections } } }));
}

const noNames = { type: "digest", area: null, team: null, app: null, env: null, severity: null } as const;

function keyOf({ destination, address }: Place): string {
  return JSON.stringify([destination, address]);
}

/**
 * Reads the places of applications, teams and areas: those of the routes, and in a chat the channels that the problems of the
 * application name, else those that the problems of its team name, else the channel of the destination.
 */
export async function readPlaces(reads: Knex, settings: NotifySettings): Promise<PlacesOf> {
  const { rows } = await reads.raw(`
    SELECT DISTINCT area, team, app, chat_channel AS channel FROM problems_by_name
    WHERE chat_channel IS NOT NULL ORDER BY area, team, app, channel
  `);
  const named = rows as (AppName & { readonly channel: string })[];
  const byApp = Map.groupBy(named, appKey);
  const byTeam = Map.groupBy(named, ({ area, team }) => JSON.stringify([area, team]));
  const registered = settings.asksRegistry ? await readAllRegistered(reads) : new Map<string, Registered>();
  return ({ area, team, app }) => {
    const found = byApp.get(appKey({ area, team, app })) ?? byTeam.get(JSON.stringify([area, team])) ?? [];
    const channels: (string | undefined)[] = [...new Set(found.map(({ channel }) => channel))];
    return (channels.length > 0 ? channels : [undefined]).flatMap((chat_channel) => {
      const names = { area, team: team || null, app: app || null };
      const fact: Fact = { ...noNames, ...names, subject: "", data: { chat_channel } };
      return placesOf(settings, fact, registered.get(appKey({ area, team, app })) ?? notRegistered);
    });
  };
}

async function readAllRegistered(reads: Knex): Promise<ReadonlyMap<string, Registered>> {
  const { rows } = await reads.raw(`
    SELECT area, team, app, owner, labels->>'notify' AS notify FROM ${registeredApps}
    WHERE owner IS NOT NULL OR labels->>'notify' IS NOT NULL
  `);
  return new Map((rows as (AppName & Registered)[]).map((row) => [appKey(row), row]));
}
