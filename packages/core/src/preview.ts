import { createEngine, type Engine, type Score } from "./engine.ts";
import type { MaturityError } from "./errors.ts";
import { roundMean } from "./rounding.ts";
import type { Scorecard } from "./scorecard.ts";

/** A stored score, or a body of `POST /score`: the same fields. */
interface Row {
  readonly table?: unknown;
  readonly scorecard: string;
  readonly metric: string;
  readonly raw?: unknown;
  readonly [field: string]: unknown;
}

/** The outcome of one metric on the raws of a file. */
interface Counts {
  readonly scores: number[];
  /** The lowest, the worst first. */
  readonly lowest: { readonly score: Score; readonly of: string }[];
  /** Message → how many raws were refused with it. */
  readonly refused: Map<string, number>;
}

const maxLowest = 5;
/** The most kinds of refusals, and of lines that no metric takes, that are listed; further kinds are counted together. */
const maxKinds = 20;
const bins = 10;
const barWidth = 40;

/**
 * Shows what each metric of a scorecard would give on existing raws: how the scores are distributed, the five lowest with
 * their reasons, and how many raws it refuses, by message. Nothing is sent or stored.
 *
 * @param lines the lines of an export of the service, or bodies of `POST /score`, one a line. Those that no metric takes are
 * counted by their `scorecard.metric`. Other tables are left out
 * @param raws `METRIC=SCORECARD.METRIC` has a metric score the raws of another one
 * @returns a text for a terminal
 * @throws Error when a line is no JSON or lacks scorecard or metric, or when `raws` names no metric of the scorecard
 */
export async function preview(
  scorecard: Scorecard,
  lines: AsyncIterable<string> | Iterable<string>,
  raws: readonly string[] = [],
): Promise<string> {
  const engine: Engine = createEngine([scorecard]);
  const tried = [...sourcesOf(scorecard, raws)].map(([metric, source]) => ({ metric, source, counts: noCounts() }));
  const untaken = new Map<string, number>();
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === "") continue;
    const row = readRow(line, number);
    if (!row) continue;
    const of = `${row.scorecard}.${row.metric}`;
    const takers = tried.filter(({ source }) => source === of);
    if (takers.length === 0) countKind(untaken, of, "others");
    for (const { metric, counts } of takers) count(counts, row, () => engine.score(scorecard.name, metric, row.raw));
  }
  const parts = tried.map(({ metric, counts }) => written(`${scorecard.name}.${metric}`, counts));
  if (untaken.size > 0) parts.push(["no metric takes these lines", ...kinds(untaken)].map(printable).join("\n"));
  return parts.join("\n\n");
}

/** Of whose raws each metric of this scorecard is tried on: metric → `scorecard.metric`. */
function sourcesOf(scorecard: Scorecard, raws: readonly string[]): Map<string, string> {
  const sources = new Map(scorecard.metrics.map(({ name }) => [name, `${scorecard.name}.${name}`]));
  for (const text of raws) {
    const [, metric = "", source = ""] = /^([^=]*)=([^.=]+\.[^.=]+)$/.exec(text) ?? [];
    if (!sources.has(metric)) {
      const metrics = [...sources.keys()].join(", ");
      throw new Error(`${JSON.stringify(text)} is not METRIC=SCORECARD.METRIC, where METRIC is one of ${metrics}`);
    }
    sources.set(metric, source);
  }
  return sources;
}

/** Reads a line; undefined if it is of another table than the scores, or the end of an export. */
function readRow(line: string, number: number): Row | undefined {
  let row: Partial<Row> | null;
  try {
    row = JSON.parse(line);
  } catch (cause) {
    throw new Error(`line ${number} is not JSON; the file must be an export, or bodies of POST /score, one a line`, {
      cause,
    });
  }
  if (typeof row !== "object" || row === null) throw new Error(`line ${number} is not a JSON object`);
  const isEnd = Object.keys(row).join() === "lines"; // the last line of an export: {"lines":2}
  if (isEnd || (row.table !== undefined && row.table !== "scores")) return undefined;
  for (const field of ["scorecard", "metric"]) {
    if (typeof row[field] !== "string") throw new Error(`line ${number} needs the field ${field}, a text`);
  }
  return row as Row;
}

function noCounts(): Counts {
  return { scores: [], lowest: [], refused: new Map() };
}

function count({ scores, lowest, refused }: Counts, row: Row, scoreRaw: () => Score): void {
  let score: Score;
  try {
    score = scoreRaw();
  } catch (error) {
    const { details, message: whole } = error as MaturityError;
    const message = details.map(({ path, message }) => `${path} ${message}`).join("; ") || whole;
    countKind(refused, message, "other messages");
    return;
  }
  scores.push(score.score);
  const of = [row.area, row.team, row.app, row.env].filter((name) => name !== undefined).join(" / ");
  lowest.push({ score, of });
  lowest.sort((a, b) => a.score.score - b.score.score).splice(maxLowest);
}

function countKind(counts: Map<string, number>, kind: string, others: string): void {
  const key = counts.has(kind) || counts.size < maxKinds ? kind : others;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A line for each kind, the most frequent first. */
function kinds(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([kind, times]) => `  ${String(times).padStart(6)}  ${kind}`);
}

function written(name: string, { scores, lowest, refused }: Counts): string {
  const total = scores.length + [...refused.values()].reduce((sum, times) => sum + times, 0);
  if (total === 0) return `${name}: the file has no raws of it`;
  const lines = [`${name}: ${scores.length} of ${total} raws scored${medianOf(scores)}`];
  if (scores.length > 0) lines.push(...histogram(scores), "  lowest");
  for (const { score, of } of lowest) {
    lines.push(`  ${String(score.score).padStart(6)}  ${of}`, ...score.reasons.map(({ text }) => `          ${text}`));
  }
  if (refused.size > 0) lines.push("  refused", ...kinds(refused));
  return lines.map(printable).join("\n");
}

function medianOf(scores: readonly number[]): string {
  if (scores.length === 0) return "";
  const sorted = scores.toSorted((a, b) => a - b);
  const { length } = sorted;
  const [low = 0, high = low] = sorted.slice(Math.ceil(length / 2) - 1, Math.floor(length / 2) + 1);
  return `, median ${roundMean((low + high) / 2)}`;
}

function histogram(scores: readonly number[]): string[] {
  const counts = new Array<number>(bins).fill(0);
  for (const score of scores) {
    const bin = Math.min(bins - 1, Math.floor((score / 100) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  const step = 100 / bins;
  return counts.map((times, bin) => {
    const range = `${String(bin * step).padStart(4)} to ${String((bin + 1) * step).padStart(3)}`;
    // What is there is seen, however little it is beside the rest.
    return `${range}  ${String(times).padStart(6)}  ${"#".repeat(Math.ceil((times / most) * barWidth))}`.trimEnd();
  });
}

/** A file from elsewhere must not move the cursor of the reader's terminal. */
function printable(line: string): string {
  return line.replaceAll(/\p{Cc}/gu, "\uFFFD");
}
