import type { Problem, ProblemDetail } from "../store/problems.ts";

const shownDetails = 5;

/** Characters of one line of a message; longer ones are cut, since chat services cut whole messages. */
const lineLimit = 300;

/** The text of an alert in Slack's mark-up. Whatever came from the report is escaped, so that it is shown as it is. */
export function alertText(problem: Problem): string {
  const { severity, count, problem_type, area, team, app, env, details } = problem;
  const head = `*${severity}*: ${count} × ${line(problem_type)} in ${[area, team, app].map(line).join("/")} (${line(env)})`;
  const lines = details.slice(0, shownDetails).map((detail) => `• ${line(place(detail))}`);
  const more = count - lines.length;
  return [head, ...lines, ...(more > 0 && lines.length > 0 ? [`and ${more} more`] : [])].join("\n");
}

function place({ file, line, description }: ProblemDetail): string {
  return [line === undefined ? file : `${file}:${line}`, description].filter(Boolean).join(" ");
}

/** One line without control characters, cut and escaped: https://docs.slack.dev/messaging/formatting-message-text#escaping */
function line(text: string): string {
  const flat = [...text.replace(/[\s\p{Cc}]+/gu, " ")];
  const cut = flat.length > lineLimit ? `${flat.slice(0, lineLimit).join("")}…` : flat.join("");
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
