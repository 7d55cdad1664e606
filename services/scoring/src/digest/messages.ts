import type { Target } from "@maturity/core";
import { line } from "../alerts/message.ts";
import { slice } from "../http/slices.ts";
import type { ChannelsOf } from "./channels.ts";
import type { Ending, Happenings } from "./happenings.ts";
import type { Moved, MovedMetric } from "./moved.ts";
import type { GoneStale } from "./stale.ts";

/** A digest for one channel. */
export interface DigestMessage {
  readonly channel: string;
  /** In Slack's mark-up. */
  readonly text: string;
}

/** Most lines of a section. */
const shownLines = 8;

/** Most metrics that a line names. */
const shownMetrics = 3;

/**
 * Writes a digest for each channel of whose applications something is to be told. Names, owners and reasons are escaped, so
 * they are shown literally.
 *
 * @param since the beginning of the period, as its readers write it
 */
export async function digestMessages(
  happenings: Happenings,
  channelsOf: ChannelsOf,
  since: string,
): Promise<DigestMessage[]> {
  const { better, worse, ending, stale, apps } = happenings;
  const sections = [
    sectionOf("Worse", await byChannel(worse, channelsOf), movedLine),
    sectionOf("Better", await byChannel(better, channelsOf), movedLine),
    sectionOf("Waivers that end", await byChannel(ending, await channelsOfWaiver(apps, channelsOf)), endingLine),
    sectionOf("Gone stale", await byChannel(stale, channelsOf), staleLine),
  ];
  const channels = new Set(sections.flatMap(({ channels }) => channels));
  return [...channels].sort().map((channel) => {
    const lines = sections.flatMap(({ linesFor }) => linesFor(channel));
    return { channel, text: [`*What changed since ${since}*`, ...lines].join("\n") };
  });
}

/** A part of a digest. */
interface Section {
  /** Those to which it has something to tell. */
  readonly channels: readonly string[];
  linesFor(channel: string): string[];
}

function sectionOf<Item>(
  title: string,
  items: ReadonlyMap<string, readonly Item[]>,
  lineOf: (item: Item) => string,
): Section {
  return {
    channels: [...items.keys()],
    linesFor(channel) {
      const own = items.get(channel) ?? [];
      const more = own.length - shownLines;
      return [
        ...(own.length > 0 ? [`*${title}* (${own.length})`] : []),
        ...own.slice(0, shownLines).map((item) => `• ${lineOf(item)}`),
        ...(more > 0 ? [`and ${more} more`] : []),
      ];
    },
  };
}

async function byChannel<Item>(
  items: readonly Item[],
  channelsOf: (item: Item) => readonly string[],
): Promise<ReadonlyMap<string, readonly Item[]>> {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    await slice();
    for (const channel of channelsOf(item)) gather(found, channel, item);
  }
  return found;
}

/** Adds an item to those of a key. */
function gather<Item>(found: Map<string, Item[]>, key: string, item: Item): void {
  const known = found.get(key);
  if (known) known.push(item);
  else found.set(key, [item]);
}

/**
 * A waiver is told wherever an application that it concerns is, and in the default channel if it concerns none. There may be
 * thousands of waivers and of applications, so they are not compared one by one.
 */
async function channelsOfWaiver(
  apps: readonly Target[],
  channelsOf: ChannelsOf,
): Promise<(waiver: Ending) => readonly string[]> {
  const byScope = new Map<string, Target[]>();
  for (const one of apps) {
    await slice();
    const { area, team, app } = one;
    for (const names of [[area], [area, team], [area, team, app]]) gather(byScope, JSON.stringify(names), one);
  }
  const known = new Map<string, readonly string[]>();
  return ({ area, team, app, env }) => {
    const scope = JSON.stringify([area, team, app, env]);
    const found = known.get(scope) ?? [...new Set(inScope(byScope, { area, team, app, env }).flatMap(channelsOf))];
    known.set(scope, found);
    return found;
  };
}

function inScope(
  byScope: ReadonlyMap<string, readonly Target[]>,
  { area, team, app, env }: Pick<Ending, "area" | "team" | "app" | "env">,
): readonly Pick<Target, "area" | "team" | "app">[] {
  const names = [area, team, app].filter((name) => name !== null);
  const concerned = byScope.get(JSON.stringify(names))?.filter((one) => env === null || one.env === env) ?? [];
  return concerned.length > 0 ? concerned : [{ area, team: team ?? "", app: app ?? "" }];
}

function movedLine({ from, to, causes, metrics, ...target }: Moved): string {
  const others = (["rules", "waiver", "move"] as const).filter((cause) => round(causes[cause]) !== 0);
  const parts = others.map((cause) => `${causeNames[cause]} ${signed(causes[cause])}`);
  const why = [...parts, ...metrics.slice(0, shownMetrics).map(metricText)].join(", ");
  return `${name(target)} ${round(from)} → ${round(to)} (${signed(to - from)})${why && `: ${why}`}`;
}

const causeNames = { rules: "rules", waiver: "waivers", move: "a merge" } as const;

function metricText({ metric, from, to }: MovedMetric): string {
  return from === null ? `${line(metric)} is new, ${round(to)}` : `${line(metric)} ${round(from)} → ${round(to)}`;
}

function endingLine({ expires_at, owner, reason, ...waiver }: Ending): string {
  return `${line(day(expires_at))}: ${scope(waiver)}; ${line(owner)}: ${line(reason)}`;
}

type Scope = Omit<Ending, "expires_at" | "owner" | "reason">;

function scope({ area, team, app, env, scorecard, metric, problem_type }: Scope): string {
  const names = [area, team, app].filter((name) => name !== null).map(line);
  const what = problem_type ?? [scorecard, metric].filter((name) => name !== null).join(".");
  return `${line(what)} of ${names.join("/")}${env === null ? "" : ` (${line(env)})`}`;
}

function staleLine({ metric, reported_at, ...target }: GoneStale): string {
  return `${name(target)} ${line(metric)}, last reported ${day(reported_at)}`;
}

function name({ area, team, app, env }: Target): string {
  return `${[area, team, app].map(line).join("/")} (${line(env)})`;
}

function day(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** With one digit after the point. */
function round(points: number): number {
  return Math.round(points * 10) / 10 + 0;
}

function signed(points: number): string {
  return `${points < 0 ? "−" : "+"}${Math.abs(round(points))}`;
}
