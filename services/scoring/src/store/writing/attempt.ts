import { isEndedIdle, isFaultOfStatement, isLocked } from "../database.ts";
import { beginLimitMs, commitLimitMs } from "../patience.ts";

/** A caller who waits until rows are stored. */
export interface Caller {
  /** The ids of the rows it writes. */
  readonly ids: readonly string[];
  /** When its caller came, by the clock of `performance.now()`. */
  readonly since: number;
  /** Is its caller still there? */
  isAwaited(): boolean;
  reject(error: unknown): void;
}

/** What one caller wants stored, all or none. */
export interface Entry<Value, Answer> extends Caller {
  readonly value: Value;
  resolve(answer: Answer): void;
}

/**
 * Stores values in one transaction, all or none.
 *
 * @param requireAwaited to be called between the statement and its commit; throws when nothing may be stored any more
 * @returns an answer for each
 */
export type Store<Value, Answer> = (values: readonly Value[], requireAwaited: () => void) => Promise<readonly Answer[]>;

/** Tries to store entries and answers them; returns those that met a row which another transaction holds. */
export type Attempt<Value, Answer> = (
  entries: readonly Entry<Value, Answer>[],
  options: AttemptOptions,
) => Promise<readonly Entry<Value, Answer>[]>;

export interface AttemptOptions {
  /** Are entries that met a lock tried in two halves, and so on, until those are found that met it? */
  splitLocked(): boolean;
}

class NotAwaitedError extends Error {}

/**
 * Makes what tries to store entries. One that cannot be stored fails alone. What is too late, or awaited by nobody, is not
 * begun; when an entry becomes so before the commit, the others are tried again without it. So an entry whose caller was
 * refused is never stored. Entries whose transaction the database ended, as after a stall in which no commit reached it,
 * are tried again too.
 *
 * @param maxRows in one statement; an entry with more has one to itself
 */
export function createAttempt<Value, Answer>(store: Store<Value, Answer>, maxRows: number): Attempt<Value, Answer> {
  type Entries = readonly Entry<Value, Answer>[];

  async function attempt(entries: Entries, options: AttemptOptions): Promise<Entries> {
    const due = entries.filter((entry) => !refuse(entry, beginLimitMs));
    if (due.length === 0) return [];
    if (due.length > 1 && due.reduce((sum, { ids }) => sum + ids.length, 0) > maxRows) return inHalves(due, options);
    const requireAwaited = () => {
      if (due.some(isLate) || !due.some((entry) => entry.isAwaited())) throw new NotAwaitedError();
    };
    try {
      const answers = await store(
        due.map(({ value }) => value),
        requireAwaited,
      );
      for (const [index, { resolve }] of due.entries()) resolve(answers[index] as Answer);
      return [];
    } catch (error) {
      if (error instanceof NotAwaitedError || isEndedIdle(error)) return attempt(due, options);
      const locked = isLocked(error);
      if (locked && (due.length === 1 || !options.splitLocked())) return due;
      if (due.length > 1 && (locked || isFaultOfStatement(error))) return inHalves(due, options);
      for (const { reject } of due) reject(error);
      return [];
    }
  }

  /** What comes behind one that met a lock, with a row in common, must not be stored before it. */
  async function inHalves(entries: Entries, options: AttemptOptions): Promise<Entries> {
    const middle = entries.length >> 1;
    const locked = new Set(await attempt(entries.slice(0, middle), options));
    const heldIds = new Set([...locked].flatMap(({ ids }) => ids));
    const [held, rest] = part(entries.slice(middle), heldIds);
    for (const entry of [...held, ...(await attempt(rest, options))]) locked.add(entry);
    return entries.filter((entry) => locked.has(entry));
  }

  return attempt;
}

/**
 * Parts entries into those that have a row in common with these ids, or with one before them that has, and the rest. The
 * ids of the former are added.
 */
function part<E extends Caller>(entries: readonly E[], heldIds: Set<string>): [E[], E[]] {
  const held: E[] = [];
  const rest: E[] = [];
  for (const entry of entries) {
    if (!entry.ids.some((id) => heldIds.has(id))) {
      rest.push(entry);
      continue;
    }
    held.push(entry);
    for (const id of entry.ids) heldIds.add(id);
  }
  return [held, rest];
}

/** Refuses an entry that is too late by this limit, or awaited by nobody; says whether it did. */
export function refuse(entry: Caller, limitMs: number = commitLimitMs): boolean {
  const late = performance.now() - entry.since > limitMs;
  if (!late && entry.isAwaited()) return false;
  entry.reject(new Error(late ? "waited too long to be stored" : "the caller is gone"));
  return true;
}

function isLate({ since }: Caller): boolean {
  return performance.now() - since > commitLimitMs;
}
