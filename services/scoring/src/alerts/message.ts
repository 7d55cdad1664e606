import type { Problem, ProblemDetail } from "../model/problem.ts";

const shownDetails = 5;

/** Characters of one line of a message; longer ones are cut, since chat services cut whole messages. */
const lineLimit = 300;

type Place = Pick<Problem, "area" | "team" | "app" | "env" | "problem_type">;

/** A message that waits to be sent. */
export interface WaitingMessage {
  /** What it says of the last report. */
  readonly text: string;
  /** Of how many reports it tells. */
  readonly reports: number;
  /** How many findings the last report had; 0 resolves the problem. */
  readonly findings: number;
  /** The message that opened its thread; null when this one does. */
  readonly opener: string | null;
}

/** An open problem in Slack's mark-up. Whatever came from the report is escaped, so that it is shown as it is. */
export function alertText({ severity, count, details, ...where }: Problem): string {
  const lines = details.slice(0, shownDetails).map((detail) => `• ${line(place(detail))}`);
  const more = count - lines.length;
  return [
    `*${severity}*: ${count} × ${problemText(where)}`,
    ...lines,
    ...(more > 0 && lines.length > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}

/**
 * A problem that is resolved, likewise.
 *
 * @param openMs for how long it was open, in milliseconds
 */
export function resolvedText(where: Place, openMs: number): string {
  return `*resolved*: ${problemText(where)}, was open for ${inWords(openMs)}`;
}

/** What is sent of an alert that may stand for several reports: of the text that of the last one. */
export function messageText({ text, reports, findings, opener }: WaitingMessage): string {
  if (reports < 2 || findings === 0) return text;
  return `${reports}${opener === null ? "" : " more"} reports, now ${counted(findings, "finding")}\n${text}`;
}

function problemText({ problem_type, area, team, app, env }: Place): string {
  return `${line(problem_type)} in ${[area, team, app].map(line).join("/")} (${line(env)})`;
}

function place({ file, line, description }: ProblemDetail): string {
  return [line === undefined ? file : `${file}:${line}`, description].filter(Boolean).join(" ");
}

/** One line without control characters and without what is not seen, cut and escaped: https://docs.slack.dev/messaging/formatting-message-text#escaping */
function line(text: string): string {
  const flat = [...text.replace(/\p{Cf}+/gu, "").replace(/[\s\p{Cc}]+/gu, " ")];
  const cut = flat.length > lineLimit ? `${flat.slice(0, lineLimit).join("")}…` : flat.join("");
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** The largest unit of which there are two, so that no more than a third is cut off. */
function inWords(ms: number): string {
  const [unit, size] = units.find(([, size]) => ms >= 2 * size) ?? units[2];
  return ms < size ? "less than a minute" : counted(Math.floor(ms / size), unit);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
