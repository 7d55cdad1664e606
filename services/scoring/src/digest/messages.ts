import type { Target } from "@maturity/core";
import { line } from "../alerts/message.ts";
import { slice } from "../http/slices.ts";
import { waiversByScope } from "../rollups/waivers.ts";
import type { ChannelsOf } from "./channels.ts";
import type { Ending, GoneStale, Happenings, Moved, MovedMetric } from "./happenings.ts";

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
  { better, worse, ending, stale, apps }: Happenings,
  channelsOf: ChannelsOf,
  since: string,
): Promise<DigestMessage[]> {
  const linesOf = new Map<string, string[]>();
  await tell("Worse", worse, movedLine, channelsOf);
  await tell("Better", better, movedLine, channelsOf);
  await tell("Waivers that end", ending, endingLine, await channelsOfWaivers(ending, apps, channelsOf));
  await tell("Gone stale", stale, staleLine, channelsOf);
  return [...linesOf.keys()].sort().map((channel) => ({
    ...{ channel, text: [`*What changed since ${since}*`, ...(linesOf.get(channel) ?? [])].join("\n") },
  }));

  async function tell<Item>(
    title: string,
    items: readonly Item[],
    lineOf: (item: Item) => string,
    channelsOf: (item: Item) => Iterable<string>,
  ): Promise<void> {
    const told = new Map<string, Item[]>();
    for (const item of items) {
      await slice();
      for (const channel of channelsOf(item)) {
        const own = told.get(channel);
        if (own) own.push(item);
        else told.set(channel, [item]);
      }
    }
    for (const [channel, own] of told) {
      const lines = own.slice(0, shownLines).map((item) => `• ${lineOf(item)}`);
      const more = own.length > shownLines ? [`and ${own.length - shownLines} more`] : [];
      linesOf.set(channel, [...(linesOf.get(channel) ?? []), `*${title}* (${own.length})`, ...lines, ...more]);
    }
  }
}

/** A waiver is told wherever an application that it concerns is, and in the default channel if it concerns none. */
async function channelsOfWaivers(
  waivers: readonly Ending[],
  apps: readonly Target[],
  channelsOf: ChannelsOf,
): Promise<(waiver: Ending) => Iterable<string>> {
  const waiversOf = waiversByScope(waivers);
  const found = new Map<Ending, Set<string>>();
  for (const app of apps) {
    await slice();
    for (const waiver of waiversOf(app)) {
      const channels = found.get(waiver) ?? new Set();
      found.set(waiver, channels);
      for (const channel of channelsOf(app)) channels.add(channel);
    }
  }
  return (waiver) =>
    found.get(waiver) ?? channelsOf({ area: waiver.area, team: waiver.team ?? "", app: waiver.app ?? "" });
}

function movedLine({ score_since, score, change, causes, metrics, ...target }: Moved): string {
  const others = (["rules", "waiver", "move"] as const).filter((cause) => round(causes[cause]) !== 0);
  const parts = others.map((cause) => `${causeNames[cause]} ${signed(causes[cause])}`);
  const why = [...parts, ...metrics.slice(0, shownMetrics).map(metricText)].join(", ");
  return `${name(target)} ${round(score_since)} → ${round(score)} (${signed(change)})${why && `: ${why}`}`;
}

const causeNames = { rules: "rules", waiver: "waivers", move: "a merge" } as const;

function metricText({ metric, from, to }: MovedMetric): string {
  return from === null ? `${line(metric)} is new, ${round(to)}` : `${line(metric)} ${round(from)} → ${round(to)}`;
}

function endingLine({ expires_at, owner, reason, env, ...waiver }: Ending): string {
  const names = [waiver.area, waiver.team, waiver.app].filter((name) => name !== null).map(line);
  const what = waiver.problem_type ?? [waiver.scorecard, waiver.metric].filter((name) => name !== null).join(".");
  const scope = `${line(what)} of ${names.join("/")}${env === null ? "" : ` (${line(env)})`}`;
  return `${day(expires_at)}: ${scope}; ${line(owner)}: ${line(reason)}`;
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
