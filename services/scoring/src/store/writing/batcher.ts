import { setTimeout as sleep } from "node:timers/promises";
import { isContended, isEndedIdle, isFaultOfStatement } from "../failures.ts";
import { commitLimitMs } from "../patience.ts";
import type { Terms } from "../transaction.ts";

/**
 * Stores the value of a caller. Returns the answer after the commit.
 *
 * @param signal nothing is stored once it is aborted; by default that is after `commitLimitMs`
 * @throws what `store` threw, or the reason of the signal; then nothing is stored
 */
export type Save<Value, Answer> = (value: Value, signal?: AbortSignal) => Promise<Answer>;

export interface BatcherOptions<Value, Answer> {
  /** Stores values in one transaction, all or none, and returns an answer for each. */
  store(values: readonly Value[], terms: Terms): Promise<readonly Answer[]>;
  /** Identifies the rows that a value is written to. */
  rowsOf(value: Value): readonly string[];
  /** Largest number of rows in a statement. A value with more rows has one to itself. */
  readonly maxRows: number;
  /** Largest number of statements at a time, without slow ones. */
  readonly atOnce: number;
  readonly connections: number;
}

interface Entry<Value, Answer> {
  readonly value: Value;
  readonly rows: readonly string[];
  readonly signal: AbortSignal;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Entries of one row, which are stored one by one. An entry of several rows has a line to itself. */
interface Line<Value, Answer> {
  readonly entries: Entry<Value, Answer>[];
  isNew: boolean;
  isTried: boolean;
}

/** Values with more rows have statements beside the others, so that a single score does not wait for a thousand. */
const largeRows = 50;

/** Largest number of entries that wait for locked rows. Beyond it they are refused, which leaves room to others. */
const maxWaiting = 500;

/** How long it takes to try each line once, in milliseconds. */
const roundMs = 1_000;

/** After this long, in milliseconds, another statement may run beside one: only its connection may be at fault. */
const slowMs = 250;

/**
 * Makes a batcher. Entries that arrive while a statement runs share the next one, so under load one commit serves many.
 * An entry that arrives alone is stored at once. Entries that are under way at the same time have no order.
 *
 * If a statement meets a locked row, or one of its values cannot be stored, its entries are stored one by one, and
 * others go on beside them. Entries that meet the lock again wait for it in turn, until their signals are aborted.
 */
export function createBatcher<Value, Answer>(options: BatcherOptions<Value, Answer>): Save<Value, Answer> {
  type Entries = readonly Entry<Value, Answer>[];
  const { store, rowsOf, maxRows, atOnce, connections } = options;
  const [small, large] = [createQueue(atOnce), createQueue(Math.max(atOnce, 2))];
  const lines = new Map<unknown, Line<Value, Answer>>();
  const patient = Math.max(1, Math.min(3, connections - 3));
  const longestMs = connections > 3 ? roundMs : 50;
  const startLines = inTurns(patient, patient, () => nextLine(() => true));
  /** New lines have a transaction of their own, so that they do not wait behind locked rows. */
  const startNewLines = inTurns(1, 1, () => nextLine(({ isNew }) => isNew));

  function createQueue(atOnce: number): (entry: Entry<Value, Answer>) => void {
    const queue: Entry<Value, Answer>[] = [];
    const start = inTurns(atOnce, connections, () => {
      const group = takeGroup(queue);
      return group.length > 0 ? () => storeGroup(group) : undefined;
    });
    return (entry) => {
      queue.push(entry);
      start();
    };
  }

  /** Takes the first entries that fit into a statement, in which no row is twice. */
  function takeGroup(queue: Entry<Value, Answer>[]): Entries {
    const group: Entry<Value, Answer>[] = [];
    const taken = new Set<string>();
    let isFull = false;
    for (const entry of queue.splice(0)) {
      const { rows } = entry;
      isFull ||= group.length > 0 && taken.size + rows.length > maxRows;
      if (isFull || rows.some((row) => taken.has(row))) queue.push(entry);
      else if (rows.some((row) => lines.has(row))) waiting() < maxWaiting ? lineUp(entry) : entry.reject(tooMany());
      else if (!isRefused(entry)) {
        group.push(entry);
        for (const row of rows) taken.add(row);
      }
    }
    return group;
  }

  async function storeGroup(group: Entries): Promise<void> {
    for (const entry of await attempt(group, { lockMs: briefMs(group), isPatient: false })) lineUp(entry);
  }

  function lineUp(entry: Entry<Value, Answer>): void {
    const of = entry.rows.length === 1 ? entry.rows[0] : entry;
    const line = lines.get(of);
    if (line) line.entries.push(entry);
    else lines.set(of, { entries: [entry], isNew: true, isTried: false });
    startNewLines();
    startLines();
  }

  function nextLine(isWanted: (line: Line<Value, Answer>) => boolean): (() => Promise<void>) | undefined {
    for (const [of, line] of lines) if (!line.isTried && isWanted(line)) return () => tryLine(of, line);
    return undefined;
  }

  /** Tries to store the first entry of a line. If its row is still locked, all other lines have their turn before. */
  async function tryLine(of: unknown, line: Line<Value, Answer>): Promise<void> {
    line.isTried = true;
    const first = line.entries.slice(0, 1);
    const turnMs = Math.min(longestMs, Math.round((roundMs * patient) / lines.size));
    const lockMs = Math.max(briefMs(first), line.isNew ? 0 : turnMs);
    const [locked] = await attempt(first, { lockMs, isPatient: true });
    line.isTried = line.isNew = false;
    const isFull = waiting() > maxWaiting;
    if (locked && isFull) locked.reject(tooMany());
    if (!locked || isFull) line.entries.shift();
    if (locked || line.entries.length === 0) lines.delete(of);
    if (locked && line.entries.length > 0) lines.set(of, line);
    startLines();
  }

  function waiting(): number {
    return [...lines.values()].reduce((sum, { entries }) => sum + entries.length, 0);
  }

  /**
   * Stores entries and answers their callers. Where one of them is aborted meanwhile, the others are stored again without
   * it. So are entries whose transaction the database ended, as after a stall during which no commit reached it.
   *
   * @returns the entries that are still to be stored, one by one
   */
  async function attempt(entries: Entries, terms: Omit<Terms, "signal">): Promise<Entries> {
    const due = entries.filter((entry) => !isRefused(entry));
    if (due.length === 0) return due;
    const throwIfAborted = () => {
      for (const { signal } of due) signal.throwIfAborted();
    };
    const values = due.map(({ value }) => value);
    try {
      const answers = await store(values, { ...terms, signal: { throwIfAborted } });
      for (const [index, { resolve }] of due.entries()) resolve(answers[index] as Answer);
      return [];
    } catch (error) {
      if (isEndedIdle(error) || due.some(({ signal }) => signal.aborted)) return attempt(due, terms);
      if (isContended(error) || (due.length > 1 && isFaultOfStatement(error))) return due;
      for (const { reject } of due) reject(error);
      return [];
    }
  }

  return (value, signal = AbortSignal.timeout(commitLimitMs)) =>
    new Promise((resolve, reject) => {
      const rows = rowsOf(value);
      const push = rows.length > largeRows ? large : small;
      push({ value, rows, signal, resolve, reject });
    });
}

/** Refuses an entry that is aborted. Says whether it did. */
function isRefused({ signal, reject }: Pick<Entry<unknown, unknown>, "signal" | "reject">): boolean {
  if (signal.aborted) reject(signal.reason);
  return signal.aborted;
}

function tooMany(): Error {
  return new Error(`${maxWaiting} reports wait for locked rows already`);
}

/** As long as the statement takes, in milliseconds: enough if another copy is just storing one of its rows. */
function briefMs(entries: readonly { readonly rows: readonly string[] }[]): number {
  return 5 + Math.ceil(entries.reduce((sum, { rows }) => sum + rows.length, 0) / 20);
}

/**
 * Makes a function that runs jobs as long as there are any.
 *
 * @param atOnce largest number at a time, without slow ones; `atMost` with them
 * @param next takes the next job
 */
function inTurns(atOnce: number, atMost: number, next: () => (() => Promise<void>) | undefined): () => void {
  let [swift, all] = [0, 0];

  async function run(job: () => Promise<void>): Promise<void> {
    swift++;
    all++;
    const done = job();
    await Promise.race([done, sleep(slowMs, undefined, { ref: false })]);
    swift--;
    start();
    await done;
    all--;
    start();
  }

  function start(): void {
    while (swift < atOnce && all < atMost) {
      const job = next();
      if (!job) return;
      void run(job);
    }
  }

  return start;
}
