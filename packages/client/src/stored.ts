import type { components } from "./openapi.generated.ts";

/** Whose result it is. */
export type Target = Readonly<Pick<components["schemas"]["ProblemRequest"], "area" | "team" | "app" | "env">>;

/** What to read; a list means any of them, and what is left out is not narrowed. */
export type Filter = { readonly [Field in keyof Target]?: string | readonly string[] };

/** The latest score of a metric of an application. */
export interface StoredScore extends Target {
  readonly scorecard: string;
  readonly metric: string;
  /** From 0 to 100. */
  readonly score: number;
  /** When it was reported, as ISO 8601 in UTC. */
  readonly reported_at: string;
}

/** The state of a problem by its last scan. */
export interface StoredProblem extends Target {
  readonly problem_type: string;
  readonly severity: components["schemas"]["ProblemRequest"]["severity"];
  /** 0 is resolved, or clean from the start. */
  readonly count: number;
}

/**
 * The scores of a scrape that has both families, scores and timestamps.
 *
 * @throws SyntaxError when the text is no such scrape
 */
export function parseScores(scrape: string): StoredScore[] {
  const samples = [...samplesOf(scrape)];
  const reported = new Map(
    samples
      .filter(({ name }) => name === "maturity_score_reported_timestamp_seconds")
      .map(({ series, value }) => [series, value]),
  );
  return samples
    .filter(({ name }) => name === "maturity_score")
    .map(({ series, labels, value }) => {
      const seconds = reported.get(series);
      if (seconds === undefined) throw new SyntaxError(`no timestamp of ${series}`);
      const reported_at = new Date(Math.round(seconds * 1_000)).toISOString();
      return { ...(labels as Omit<StoredScore, "score" | "reported_at">), score: value, reported_at };
    });
}

/**
 * The problems of a scrape.
 *
 * @throws SyntaxError when the text is no scrape
 */
export function parseProblems(scrape: string): StoredProblem[] {
  return [...samplesOf(scrape)]
    .filter(({ name }) => name === "maturity_problem_count")
    .map(({ labels, value }) => ({ ...(labels as Omit<StoredProblem, "count">), count: value }));
}

interface Sample {
  readonly name: string;
  /** The labels as they stand, the same for all samples of one series. */
  readonly series: string;
  readonly labels: object;
  readonly value: number;
}

/** Names may hold line separators other than the line feed, which `.` matches too. */
const sampleLine = /^(\w+)\{(.*)\} (\S+)$/s;
const label = /(\w+)="((?:[^"\\]|\\.)*)",?/sy;

/** In label values `\\`, `\"` and `\n` are escapes. */
const unescaped: Readonly<Record<string, string>> = { "\\\\": "\\", '\\"': '"', "\\n": "\n" };

function* samplesOf(scrape: string): Generator<Sample> {
  for (const line of scrape.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name, series, number] = sampleLine.exec(line) ?? [];
    const value = Number(number);
    if (name === undefined || series === undefined || Number.isNaN(value)) throw new SyntaxError(`no sample: ${line}`);
    yield { name, series, labels: labelsOf(series), value };
  }
}

function labelsOf(series: string): object {
  const labels: [string, string][] = [];
  for (label.lastIndex = 0; label.lastIndex < series.length; ) {
    const [, name, value] = label.exec(series) ?? [];
    if (name === undefined || value === undefined) throw new SyntaxError(`no labels: ${series}`);
    labels.push([name, value.replace(/\\[\\"n]/g, (sequence) => unescaped[sequence] ?? sequence)]);
  }
  return Object.fromEntries(labels);
}
