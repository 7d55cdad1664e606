import type { Problem, ProblemDetail } from "../model/problem.ts";

const shownDetails = 5;

/**
 * Longest line of a message, in characters. Longer lines are cut here, because chat services would cut the whole
 * message.
 */
const lineLimit = 300;

/** Names a problem. */
export type ProblemName = Pick<Problem, "area" | "team" | "app" | "env" | "problem_type">;

/** A message that waits to be sent. */
export interface WaitingMessage {
  /** Text about the last report, with `problemMark` where the problem is named. */
  readonly text: string;
  /** The problem, by the names that it has now; null in a message about none. */
  readonly problem: ProblemName | null;
  /** Number of reports that this message stands for. */
  readonly reports: number;
  /** Number of findings in the last report. 0 means that the problem is resolved. */
  readonly findings: number;
  /** Id of the message that opened the thread; null if this message opens it. */
  readonly opener: string | null;
}

/**
 * Stands in a stored text where the problem is named, so that a message that waits while an application gets another name
 * is sent with that one. `line` leaves no control character in what was reported.
 */
export const problemMark = "\u0001";

/** A stored text with the names that the problem has now. */
export function namedText(text: string, problem: ProblemName | null): string {
  return problem === null ? text : text.replace(problemMark, () => problemText(problem));
}

/**
 * The text about an open problem, in Slack's mark-up. Everything that came with the report is escaped, so it is shown
 * literally.
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

/** How a message names a problem. */
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

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
