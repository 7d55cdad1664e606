import type { Problem, ProblemDetail } from "../model/problem.ts";

const shownDetails = 5;

/**
 * Longest line of a message, in characters. A longer line is cut here, because chat services would cut the whole message.
 */
const lineLimit = 300;

/** The names that identify a problem. */
export type ProblemName = Pick<Problem, "area" | "team" | "app" | "env" | "problem_type">;

/** A message that waits to be sent. */
export interface WaitingMessage {
  /** The text, with `problemMark` in place of the problem's name. */
  readonly text: string;
  /** The current names of the problem; null for a digest. */
  readonly problem: ProblemName | null;
  /** Number of reports that this message stands for. */
  readonly reports: number;
  /** Number of findings in the last report. 0 means that the problem is resolved. */
  readonly findings: number;
  /** Id of the message that opened the thread; null if this message opens it. */
  readonly opener: string | null;
}

/**
 * Stands for the problem's name in a stored text, so that a message about an application that is renamed in the meantime is
 * sent with the new name. No reported text has this character, because `line` removes control characters.
 */
export const problemMark = "\u0001";

/** A stored text with the current names of the problem. */
export function namedText(text: string, problem: ProblemName | null): string {
  return problem === null ? text : text.replace(problemMark, () => problemText(problem));
}

/**
 * The text about an open problem, in Slack's mark-up. Reported texts are escaped, so they are shown literally.
 */
export function alertText({ severity, count, details }: Pick<Problem, "severity" | "count" | "details">): string {
  const lines = details.slice(0, shownDetails).map((detail) => `• ${line(detailText(detail))}`);
  const more = count - lines.length;
  return [
    `*${severity}*: ${count} × ${problemMark}`,
    ...lines,
    ...(more > 0 && lines.length > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}

/**
 * The text about a resolved problem, in Slack's mark-up.
 *
 * @param openMs how long the problem was open, in milliseconds
 */
export function resolvedText(openMs: number): string {
  return `*resolved*: ${problemMark}, was open for ${inWords(openMs)}`;
}

/** The text to send. If the alert stands for several reports, it shows the last one and their number. */
export function messageText({ text, problem, reports, findings, opener }: WaitingMessage): string {
  const named = namedText(text, problem);
  if (reports < 2 || findings === 0) return named;
  return `${reports}${opener === null ? "" : " more"} reports, now ${counted(findings, "finding")}\n${named}`;
}

/** The name of a problem in a message. */
export function problemText({ problem_type, area, team, app, env }: ProblemName): string {
  return `${line(problem_type)} in ${[area, team, app].map(line).join("/")} (${line(env)})`;
}

function detailText({ file, line, description }: ProblemDetail): string {
  return [line === undefined ? file : `${file}:${line}`, description].filter(Boolean).join(" ");
}

/**
 * Makes one line of a text: without control characters and invisible characters, cut, and escaped as in
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function line(text: string): string {
  const flat = [...text.replace(/\p{Cf}+/gu, "").replace(/[\s\p{Cc}]+/gu, " ")];
  const cut = flat.length > lineLimit ? `${flat.slice(0, lineLimit).join("")}…` : flat.join("");
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** A duration in the largest unit of which it has at least two, so that rounding down removes at most a third. */
function inWords(ms: number): string {
  const [unit, size] = units.find(([, size]) => ms >= 2 * size) ?? units[2];
  return ms < size ? "less than a minute" : counted(Math.floor(ms / size), unit);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
