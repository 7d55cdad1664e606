import type { Level, Severity } from "@maturity/core";

/** A level in the form of policy files and of the store. */
export interface WrittenLevel {
  readonly name: string;
  readonly min_score?: number;
  readonly min_fresh?: number;
  readonly scorecards?: Readonly<Record<string, number>>;
  readonly metrics?: Readonly<Record<string, number>>;
  readonly no_open_problems?: Severity;
  readonly max_waived?: number;
}

/** Reads a level from its written form. */
export function levelFrom(written: WrittenLevel): Level {
  const { min_score, min_fresh, no_open_problems, max_waived, ...same } = written;
  return {
    ...same,
    ...(min_score !== undefined && { minScore: min_score }),
    ...(min_fresh !== undefined && { minFresh: min_fresh }),
    ...(no_open_problems !== undefined && { noOpenProblems: no_open_problems }),
    ...(max_waived !== undefined && { maxWaived: max_waived }),
  };
}

/** The written form of a level. */
export function writtenLevel(level: Level): WrittenLevel {
  const { minScore, minFresh, noOpenProblems, maxWaived, ...same } = level;
  return {
    ...same,
    ...(minScore !== undefined && { min_score: minScore }),
    ...(minFresh !== undefined && { min_fresh: minFresh }),
    ...(noOpenProblems !== undefined && { no_open_problems: noOpenProblems }),
    ...(maxWaived !== undefined && { max_waived: maxWaived }),
  };
}
