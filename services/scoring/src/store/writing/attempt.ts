import { isEndedIdle, isFaultOfStatement, isLocked } from "../database.ts";
import { isFormerName } from "../names.ts";
import { beginLimitMs, commitLimitMs } from "../patience.ts";

/** A caller that waits until its rows are stored. */
export interface Caller {
  /** The ids of the rows to write. */
  readonly ids: readonly string[];
  /** When the caller arrived, by the clock of `performance.now()`. */
  readonly since: number;
  /** Is the caller still connected? */
  isAwaited(): boolean;
  reject(error: unknown): void;
}

/** Rows of one caller, to be stored all or none. */
export interface Entry<Value, Answer> extends Caller {
  readonly value: Value;
  resolve(answer: Answer): void;
}

/**
 * Stores values in one transaction, all or none.
 *
 * @param requireAwaited must be called between the statement and its commit; throws if nothing may be stored any more
 * @returns an answer for each value
 */
export type Store<Value, Answer> = (values: readonly Value[], requireAwaited: () => void) => Promise<readonly Answer[]>;

/** Tries to store entries and answers their callers. Returns the entries that met a locked row. */
export type Attempt<Value, Answer> = (
  entries: readonly Entry<Value, Answer>[],
  options: AttemptOptions,
) => Promise<readonly Entry<Value, Answer>[]>;

export interface AttemptOptions {
  /** If entries met a lock, are they split into halves again and again until the ones that met it are found? */
  splitLocked(): boolean;
}

class NotAwaitedError extends Error {}

/**
 * Makes a function that tries to store entries. An entry that cannot be stored fails alone. Entries that are too late,
 * or whose callers are gone, are not begun; if an entry becomes so before the commit, the transaction is rolled back
 * and the others are tried again without it. So nothing is stored for a refused caller. Entries are also tried again if
 * the database ended their transaction, as after a stall during which no commit reached it. If one of them is under a
 * former name, none is stored, and all callers hear of it: they look up their names together, and come back.
 *
 * @param maxRows largest number of rows in one statement. An entry with more rows has a statement to itself.
 */
export function createAttempt<Value, Answer>(store: Store<Value, Answer>, maxRows: number): Attempt<Value, Answer> {
  type Entries = readonly Entry<Value, Answer>[];

  async function attempt(entries: Entries, options: AttemptOptions): Promise<Entries> {
    const due = entries.filter((entry) => !refuse(entry, beginLimitMs));
    if (due.length === 0) return [];
    if (due.length > 1 && due.reduce((sum, { ids }) => sum + ids.length, 0) > maxRows) return inHalves(due, options);
    const requireAwaited = () => {
      if (due.some((entry) => isLate(entry) || !entry.isAwaited())) throw new NotAwaitedError();
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
      const isAnyones = isFaultOfStatement(error) && !isFormerName(error);
      if (due.length > 1 && (locked || isAnyones)) return inHalves(due, options);
      for (const { reject } of due) reject(error);
      return [];
    }
  }

  /** An entry that shares a row with an earlier entry must not be stored before it, even if that one met a lock. */
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
 * Separates the entries that share a row with these ids, or with an earlier entry that does, from the rest. Adds the
 * ids of the former.
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

/** Refuses an entry that is too late or whose caller is gone. Says whether it did. */
export function refuse(entry: Caller, limitMs: number = commitLimitMs): boolean {
  const late = performance.now() - entry.since > limitMs;
  if (!late && entry.isAwaited()) return false;
  entry.reject(new Error(late ? "waited too long to be stored" : "the caller is gone"));
  return true;
}

function isLate({ since }: Caller): boolean {
  return performance.now() - since > commitLimitMs;
}
