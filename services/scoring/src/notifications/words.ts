import type { Fact, FactData, FactType } from "../model/fact.ts";
import type { ProblemDetail } from "../model/problem.ts";
import type { Message } from "./destination.ts";
import { counted, inWords, lineLimit, oneLine } from "./plain-text.ts";

/** What a message says, as plain text. Each kind of destination escapes it for its own medium. */
export interface Words {
  /** Stands before the title: how many submissions the message is about, if more than one. */
  readonly note: string | null;
  /** One or two words that say what it is about, such as a severity; null if the title says it. */
  readonly lead: string | null;
  readonly title: string;
  readonly lines: readonly Line[];
  /** To the Board; null where its address is not known. */
  readonly link: string | null;
}

/** A line below the title. */
export interface Line {
  readonly text: string;
  /** The place of a finding before the text, such as `main.tf:3`. */
  readonly code?: string;
  /** Of a heading, how many lines are below it, with those that are not shown. */
  readonly count?: number;
  readonly style: "item" | "heading" | "plain";
}

type Wording = Pick<Words, "lead" | "title"> & { readonly lines?: readonly Line[] };

/** How many findings a message shows. */
export const shownDetails = 5;

/** The words of a message. Each text is one line of bounded length without control characters, and is not escaped. */
export function wordsOf({ fact, reports, thread, at, link }: Omit<Message, "id" | "address">): Words {
  const { lead, title, lines = [] } = wordings[fact.type](fact, at);
  const isMerged = reports > 1 && isMergedInWords(fact.type);
  return { note: isMerged ? noteOf(fact, reports, thread) : null, lead, title, lines, link };
}

/** Whether the number of facts of this type says something. The end of a problem says it all. */
function isMergedInWords(type: FactType): boolean {
  return /^(?:problem\.(?:opened|changed)|score\..+|level\..+)$/.test(type);
}

function noteOf({ type, data }: Fact, reports: number, thread: string | null): string {
  if (!type.startsWith("problem.")) return `${reports} times, the last`;
  return `${reports}${thread === null ? "" : " more"} reports, now ${counted(Number(data.count), "finding")}`;
}

/** All words as plain text. */
export function textOf({ note, lines, ...words }: Words): string {
  const shown = lines.map(({ code, text, count, style }) => {
    const all = [code, text, count === undefined ? "" : `(${count})`].filter(Boolean).join(" ");
    return style === "item" ? `• ${all}` : all;
  });
  return [...(note === null ? [] : [note]), headline(words), ...shown].join("\n");
}

/** Lead and title in one line, as for the subject of a mail. */
export function headline({ lead, title }: Pick<Words, "lead" | "title">): string {
  return lead === null ? title : `${lead}: ${title}`;
}

const wordings: Readonly<Record<FactType, (fact: Fact, at: Date) => Wording>> = {
  "problem.opened": openProblem,
  "problem.changed": openProblem,
  "problem.resolved": (fact, at) => ({
    lead: "resolved",
    title: `${subjectOf(fact.data)} in ${placeOf(fact)}, was open for ${inWords(Number(at) - Number(fact.data.opened_at))}`,
  }),
  "score.dropped": dropped,
  "level.lost": (fact) => level(fact, "level lost"),
  "level.reached": (fact) => level(fact, "level reached"),
  "waiver.requested": (fact) => waiver(fact, "waiver requested"),
  "waiver.decided": (fact) => waiver(fact, `waiver ${shown(fact.data.state)}`),
  "waiver.ending": (fact) => waiver(fact, "waiver ends soon"),
  "campaign.started": (fact) => campaign(fact, "campaign started"),
  "campaign.due": (fact) => campaign(fact, "campaign is due"),
  "campaign.ended": (fact) => campaign(fact, "campaign ended"),
  test: () => ({ lead: null, title: "This is a test of the notifications of Maturity" }),
  digest: ({ data }) => ({
    lead: null,
    title: `What changed since ${shown(data.since)}`,
    lines: sectionsOf(data).flatMap(({ title, total, lines }) => [
      { text: title, count: total, style: "heading" as const },
      ...lines.map((text) => ({ text: oneLine(text), style: "item" as const })),
      ...more(total - lines.length),
    ]),
  }),
};

/** A part of a digest, with its first lines. */
export interface DigestSection {
  readonly title: string;
  readonly total: number;
  readonly lines: readonly string[];
}

function sectionsOf({ sections }: FactData): readonly DigestSection[] {
  return sections as readonly DigestSection[];
}

function openProblem(fact: Fact): Wording {
  const { count, details } = fact.data as { readonly count: number; readonly details: readonly ProblemDetail[] };
  const lines = details.slice(0, shownDetails).map(({ file, line, description = "" }): Line => {
    const code = oneLine(line === undefined ? file : `${file}:${line}`);
    return { code, text: oneLine(description, lineLimit - [...code].length - 1), style: "item" };
  });
  return {
    lead: fact.severity,
    title: `${count} × ${subjectOf(fact.data)} in ${placeOf(fact)}`,
    lines: lines.length > 0 ? [...lines, ...more(count - lines.length)] : [],
  };
}

function dropped(fact: Fact): Wording {
  const { from, to, level_from, level_to, metrics } = fact.data;
  const changed = metrics as readonly { readonly metric: string; readonly from: number | null; readonly to: number }[];
  const lines = changed.slice(0, shownDetails).map(({ metric, from, to }): Line => {
    return {
      code: oneLine(metric),
      text: `${from === null ? "no score" : points(from)} → ${points(to)}`,
      style: "item",
    };
  });
  const hasMoved = level_from !== level_to;
  return {
    lead: "score dropped",
    title: `${placeOf(fact)} fell from ${points(from)} to ${points(to)}`,
    lines: [
      ...(hasMoved ? listed({ level: `${levelName(level_from)} → ${levelName(level_to)}` }) : []),
      ...lines,
      ...more(changed.length - lines.length),
    ],
  };
}

function level(fact: Fact, lead: string): Wording {
  const { from, to, score } = fact.data;
  const next = fact.data.next as { readonly name: string; readonly unmet: string } | null;
  return {
    lead,
    title: `${placeOf(fact)} went from ${levelName(from)} to ${levelName(to)}`,
    lines: listed({
      score: score === null ? null : points(score),
      ...(next !== null && { [`for ${oneLine(next.name)}`]: next.unmet }),
    }),
  };
}

function levelName(name: unknown): string {
  return name === null ? "no level" : shown(name);
}

/** A score as the Board shows it. */
function points(score: unknown): string {
  return String(Math.round(Number(score) * 100) / 100);
}

function waiver(fact: Fact, lead: string): Wording {
  const { reason, owner, expires_at, actor, requested_by, comment } = fact.data;
  const decided = fact.type === "waiver.decided" ? actor : undefined;
  const facts = { asked: requested_by, decided, owner, reason, comment, until: expires_at };
  return { lead, title: `${subjectOf(fact.data)} of ${placeOf(fact)}`, lines: listed(facts) };
}

function campaign({ data }: Fact, lead: string): Wording {
  const { name, owner, due, met, members } = data;
  const why = data.why as { readonly text: string; readonly url: string | null } | undefined;
  const progress = members === undefined ? undefined : `${shown(met)} of ${shown(members)} meet the goal`;
  return { lead, title: shown(name), lines: listed({ due, progress, why: why?.text, more: why?.url, owner }) };
}

/** A line for each value that is there. */
function listed(values: Readonly<Record<string, unknown>>): Line[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [{ text: oneLine(`${name}: ${value}`), style: "item" as const }],
  );
}

function more(left: number): Line[] {
  return left > 0 ? [{ text: `and ${left} more`, style: "plain" }] : [];
}

/** The type of problem, or the scorecard and metric, of a problem or a waiver, such as `security.dast`. */
export function subjectOf({ problem_type, scorecard, metric }: FactData): string {
  return shown(problem_type ?? [scorecard, metric].filter((name) => name).join("."));
}

/** The names from the area on, and the environment, such as `shop/checkout/cart (prod)`. Those that are null are left out. */
export function placeOf({ area, team, app, env }: Pick<Fact, "area" | "team" | "app" | "env">): string {
  const names = [area, team, app].filter((name) => name !== null).map((name) => oneLine(name));
  return `${names.join("/")}${env === null ? "" : ` (${oneLine(env)})`}`;
}

function shown(value: unknown): string {
  return oneLine(String(value));
}
