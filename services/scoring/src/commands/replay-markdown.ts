import { shownTarget } from "../model/app-name.ts";
import type { Replay } from "../replay/replay.ts";
import type { ChangedScore } from "../replay/score-counter.ts";
import { appCells, appsSentence, settingCells } from "./changes-text.ts";
import { printable } from "./print.ts";
import { dropSentence, metricCells, metricHead, reasonsText, scoresSentences, signed } from "./replay-words.ts";

/** The largest number of characters. A comment on a pull request takes 65,536. */
const maxLength = 60_000;

/** The largest number of characters in a cell. */
const maxCell = 400;

/** A replay as a comment on a pull request: a summary, then the details in folded sections. */
export function replayMarkdown(replay: Replay): string {
  const { scores, changed, settings, scorers } = replay;
  const open = [
    `### Replay: ${scores.moved} of ${scores.scores} scores move\n`,
    `Scored again by ${scorers.map(literal).join(", ")}.\n`,
    [...scoresSentences(scores).slice(1), appsSentence(replay), literalIn(dropSentence(replay))].join(" "),
    "",
  ].join("\n");
  const parts = [
    part("Metrics", metricHead.map(capital), scores.metrics.map(metricCells)),
    part("Settings that differ", ["Setting", "From", "To"], settings.map(settingCells)),
    part("Applications that change", ["Application", "Score", "Level", "Next"], changed.map(appCells)),
    part("Scores that move furthest", ["Score", "Change", "Before", "Now"], scores.largest.map(movedCells)),
    part(
      "Why results are refused",
      ["Message", "Count", "Whose"],
      scores.refusals.map(({ message, count, keys }) => [
        message,
        String(count),
        keys.slice(0, 5).map(shownTarget).join(", "),
      ]),
    ),
  ].filter(({ rows }) => rows.length > 0);
  // A part may use the room that the parts before it left.
  let left = maxLength - open.length;
  const folded = parts.map((part, index) => {
    const text = fold(part, left / (parts.length - index));
    left -= text.length;
    return text;
  });
  return [open, ...folded].join("\n");
}

interface Part {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function part(title: string, head: readonly string[], rows: readonly (readonly string[])[]): Part {
  return { title, head, rows };
}

/** A folded table with as many rows as fit into `room` characters. */
function fold({ title, head, rows }: Part, room: number): string {
  const lines = [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`];
  let length = lines.join("\n").length + 200;
  let shown = 0;
  for (const row of rows) {
    const line = `| ${row.map(literal).join(" | ")} |`;
    length += line.length + 1;
    if (length > room) break;
    lines.push(line);
    shown++;
  }
  const more = rows.length - shown;
  return [
    `<details><summary>${title} (${rows.length})</summary>\n`,
    ...lines,
    ...(more > 0 ? ["", `and ${more} more; \`--format json\` lists all`] : []),
    "\n</details>\n",
  ].join("\n");
}

function movedCells({ scorecard, metric, change, from, to, ...key }: ChangedScore): string[] {
  return [
    `${shownTarget(key)} ${scorecard}.${metric}`,
    `${from.score} -> ${to.score} (${signed(change)})`,
    `${reasonsText(from)} (${from.scorer})`,
    `${reasonsText(to)} (${to.scorer})`,
  ];
}

/** A foreign text, shown literally: no part of it becomes Markdown, HTML, a link or a mention of a user. */
function literal(text: string): string {
  const short = text.length > maxCell ? `${text.slice(0, maxCell - 1).replace(/\p{Cs}$/u, "")}…` : text;
  return /^[\d.+-]*$/.test(short) ? short : `<code>${literalIn(short)}</code>`;
}

function literalIn(text: string): string {
  return printable(text).replace(/[^\p{L}\p{N} /()+,.-]/gu, (character) => `&#${character.codePointAt(0)};`);
}

function capital(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase();
}
