import type { Knex } from "knex";
import { isFaultOfStatement, isLocked, waitLimitMs } from "./database.ts";
import { type NewScore, saveScores } from "./scores.ts";

/** Stores scores, one statement at a time. */
export interface ScoreWriter {
  /** Stores at least one score, all or none. Returns once they are committed: when, by the database's clock. */
  save(...scores: readonly NewScore[]): Promise<Date>;
}

/** Scores that share a statement; more would make the first of a group wait long for its answer. */
const maxGroup = 500;

interface Waiting {
  readonly scores: readonly NewScore[];
  /** By the clock of `performance.now()`. */
  readonly since: number;
  resolve(reportedAt: Date): void;
  reject(error: unknown): void;
}

/**
 * Lets scores that arrive while a statement runs share the next one, as PostgreSQL lets transactions share a write to
 * the log: each is answered only after the commit, and under load a commit is paid once for many. Where only one arrives
 * at a time, each has its own statement at once. Large batches take turns: at the same time they would wait for each
 * other's rows, and half as many would be stored.
 */
export function createScoreWriter(knex: Knex): ScoreWriter {
  let waiting: Waiting[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      const group = nextGroup(waiting);
      waiting = waiting.slice(group.length);
      await store(knex, group);
    }
    running = false;
  }

  return {
    save: (...scores) =>
      new Promise((resolve, reject) => {
        waiting.push({ scores, since: performance.now(), resolve, reject });
        if (!running) void run();
      }),
  };
}

/** Those that come first, and at least one. */
function nextGroup(waiting: readonly Waiting[]): readonly Waiting[] {
  let scores = 0;
  const end = waiting.findIndex((one, index) => {
    scores += one.scores.length;
    return scores > maxGroup && index > 0;
  });
  return end < 0 ? waiting : waiting.slice(0, end);
}

/**
 * Stores and answers a group. If one of it cannot be stored, or its row is locked, it fails alone. What has waited too
 * long is not sent any more.
 */
async function store(knex: Knex, waiting: readonly Waiting[]): Promise<void> {
  const now = performance.now();
  const group = waiting.filter(({ since, reject }) => {
    const isLate = now - since > waitLimitMs;
    if (isLate) reject(new Error(`waited ${waitLimitMs} ms for the statements before it`));
    return !isLate;
  });
  if (group.length === 0) return;
  try {
    const reportedAt = await saveScores(
      knex,
      group.flatMap(({ scores }) => scores),
    );
    for (const { resolve } of group) resolve(reportedAt);
  } catch (error) {
    if (group.length === 1 || !(isFaultOfStatement(error) || isLocked(error))) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const one of group) await store(knex, [one]);
  }
}
