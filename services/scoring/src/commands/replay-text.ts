import { shownTarget } from "../model/app-name.ts";
import type { Replay } from "../replay/replay.ts";
import type { ChangedScore } from "../replay/score-counter.ts";
import { appsText, settingsTable } from "./changes-text.ts";
import { printable } from "./print.ts";
import {
  dropSentence,
  metricCells,
  metricHead,
  reasonsHint,
  reasonsText,
  scoresSentences,
  signed,
} from "./replay-words.ts";
import { table } from "./table.ts";

/** Most keys of results that are refused with one message. */
const maxKeys = 3;

/** The largest number of messages that are shown. */
const maxMessages = 20;

/** A replay for a terminal. */
export function replayText(replay: Replay): string {
  const { scorers, settings, scores } = replay;
  const metrics = scores.metrics.map(metricCells);
  return [
    printable(`Scored again by ${scorers.join(", ")}, compared with what is stored and ${weightsText(replay)}.\n\n`),
    ...scoresSentences(scores).map((sentence) => `${sentence}\n`),
    ...(metrics.length > 0 ? ["\n", table([metricHead, ...metrics])] : []),
    ...(settings.length > 0 ? ["\n", settingsTable(settings)] : []),
    `\n${appsText(replay)}${printable(dropSentence(replay))}\n`,
    ...(scores.largest.length > 0 ? ["\nThe scores that move furthest:\n", ...scores.largest.map(movedText)] : []),
    ...(reasonsHint(scores) && [`\n${reasonsHint(scores)}\n`]),
    ...refusedText(replay),
  ].join("");
}

function weightsText({ compared_by, in_force_since }: Replay): string {
  if (compared_by === "before") return "the weights of the former packages";
  if (in_force_since) return `the weights in force since ${in_force_since.toISOString().slice(0, 19)}Z`;
  return "today's weights, since no former ones are known";
}

function movedText({ scorecard, metric, change, from, to, ...key }: ChangedScore): string {
  return printable(
    [
      `\n${shownTarget(key)} ${scorecard}.${metric}: ${from.score} -> ${to.score} (${signed(change)})`,
      `  before, by ${from.scorer}: ${reasonsText(from)}`,
      `  now, by ${to.scorer}: ${reasonsText(to)}\n`,
    ].join("\n"),
  );
}

function refusedText({ scores: { refusals } }: Replay): string[] {
  if (refusals.length === 0) return [];
  const lines = refusals.slice(0, maxMessages).map(({ count, message, keys }) => {
    const more = count > maxKeys ? ` and ${count - maxKeys} more` : "";
    return printable(`  ${message}\n    ${keys.slice(0, maxKeys).map(shownTarget).join(", ")}${more}\n`);
  });
  const more = refusals.length - lines.length;
  return [
    "\nResults that are refused now:\n",
    ...lines,
    ...(more > 0 ? [`  and ${more} more messages; --format json lists them\n`] : []),
  ];
}
