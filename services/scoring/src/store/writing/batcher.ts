import { isContended, isFaultOfStatement } from "../failures.ts";
import { commitLimitMs } from "../patience.ts";
import { createQueue, type Queue } from "../queue.ts";
import { isUncommitted, type Terms } from "../transaction.ts";

/**
 * Stores the value of a caller. Returns the answer after the commit.
 *
 * @param signal nothing is stored once it is aborted; by default after `commitLimitMs`
 * @throws the error of `store`, or the reason of the signal; then nothing is stored
 */
export type Save<Value, Answer> = (value: Value, signal?: AbortSignal) => Promise<Answer>;

export interface BatcherOptions<Value, Answer> {
  /** Stores values in one transaction, all or none, and returns an answer for each. */
  store(values: readonly Value[], terms: Terms): Promise<readonly Answer[]>;
  /** Identifies the rows that a value is written to. */
  rowsOf(value: Value): readonly string[];
  /** Largest number of rows in a statement. A value with more rows has a statement of its own. */
  readonly maxRows: number;
  /** Largest number of statements at a time, not counting slow ones. */
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

/** Values with more rows use statements of their own, so that a single score does not wait for a thousand. */
const largeRows = 50;

/** Largest number of entries that wait for locked rows. Further ones are refused, which leaves room for others. */
const maxWaiting = 500;

/** The time in which each locked row is tried once, in milliseconds. */
const roundMs = 1_000;

/**
 * After this long, in milliseconds, another statement may run beside a slow one: only its connection may be at fault.
 */
const slowMs = 250;

/**
 * Makes a batcher. Entries that arrive while a statement runs share the next one, so under load one commit serves many.
 * An entry that arrives alone is stored at once. Entries under way at the same time have no order.
 *
 * If a statement meets a locked row, or one of its values cannot be stored, its entries are stored one by one while
 * others go on. Entries that meet the lock again are repeated one after another, until their signals are aborted.
 */
export function createBatcher<Value, Answer>(options: BatcherOptions<Value, Answer>): Save<Value, Answer> {
  type Item = Entry<Value, Answer>;
  const { store, rowsOf, maxRows, atOnce, connections } = options;
  const [small, large] = [createGroupQueue(atOnce), createGroupQueue(Math.max(atOnce, 2))];
  /** The last entry of each row that is stored by itself. An entry of several rows waits for no other. */
  const alone = new Map<unknown, Promise<void>>();
  let waiting = 0;
  const patient = Math.max(1, Math.min(3, connections - 3));
  const longestMs = connections > 3 ? roundMs : 50;
  const unbounded = { waiting: Number.POSITIVE_INFINITY }; // `waiting` is bounded
  /** The first try has a connection of its own, so that free rows do not wait behind locked ones. */
  const [first, again] = [createQueue({ atOnce: 1, ...unbounded }), createQueue({ atOnce: patient, ...unbounded })];

  /** Stores groups of entries, at most `swiftAtOnce` at a time without slow ones. */
  function createGroupQueue(swiftAtOnce: number): (entry: Item) => void {
    const entries: Item[] = [];
    let [swift, all] = [0, 0];

    function start(): void {
      while (swift < swiftAtOnce && all < connections) {
        const group = takeGroup(entries);
        if (group.length === 0) return;
        void run(group);
      }
    }

    async function run(group: readonly Item[]): Promise<void> {
      swift++;
      all++;
      let isSwift = true;
      const leave = () => {
        isSwift = false;
        swift--;
      };
      const slow = setTimeout(() => {
        leave();
        start();
      }, slowMs).unref();
      await storeGroup(group);
      clearTimeout(slow);
      if (isSwift) leave();
      all--;
      start();
    }

    return (entry) => {
      entries.push(entry);
      start();
    };
  }

  /** Takes the first entries that fit into a statement and share no row. */
  function takeGroup(entries: Item[]): readonly Item[] {
    const group: Item[] = [];
    const taken = new Set<string>();
    let isFull = false;
    for (const entry of entries.splice(0)) {
      const { rows } = entry;
      isFull ||= group.length > 0 && taken.size + rows.length > maxRows;
      if (isFull || rows.some((row) => taken.has(row))) entries.push(entry);
      else if (rows.some((row) => alone.has(row))) waiting < maxWaiting ? storeAlone(entry) : entry.reject(tooMany());
      else if (!isRefused(entry)) {
        group.push(entry);
        for (const row of rows) taken.add(row);
      }
    }
    return group;
  }

  async function storeGroup(group: readonly Item[]): Promise<void> {
    for (const entry of await attempt(group, { lockMs: briefMs(group), isPatient: false })) storeAlone(entry);
  }

  function storeAlone(entry: Item): void {
    const of = entry.rows.length === 1 ? entry.rows[0] : entry;
    const before = alone.get(of);
    waiting++;
    const done = tryAlone(entry, before).finally(() => {
      waiting--;
      if (alone.get(of) === done) alone.delete(of);
    });
    alone.set(of, done);
  }

  /** Tries to store an entry until its signal is aborted. Between two tries, all other rows are tried. */
  async function tryAlone(entry: Item, before: Promise<void> | undefined): Promise<void> {
    const { signal, reject } = entry;
    const leastMs = briefMs([entry]);
    await before;
    const isStillLocked = async (queue: Queue, terms: Omit<Terms, "signal">) =>
      (await queue.run(signal, () => attempt([entry], terms))).length > 0;
    try {
      let isLocked = before !== undefined || (await isStillLocked(first, { lockMs: leastMs, isPatient: false }));
      while (isLocked) {
        if (waiting > maxWaiting) throw tooMany();
        const lockMs = Math.max(leastMs, Math.min(longestMs, Math.round((roundMs * patient) / alone.size)));
        isLocked = await isStillLocked(again, { lockMs, isPatient: true });
      }
    } catch (error) {
      reject(signal.aborted ? signal.reason : error);
    }
  }

  /**
   * Stores entries and answers their callers. If a caller aborts meanwhile, the others are stored again without it. A
   * transaction that lost its connection before its commit, as after a stall, is repeated too.
   *
   * @returns the entries that are still to be stored, one by one
   */
  async function attempt(entries: readonly Item[], terms: Omit<Terms, "signal">): Promise<readonly Item[]> {
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
      if (isUncommitted(error) || due.some(({ signal }) => signal.aborted)) return attempt(due, terms);
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

/** Refuses an entry that is aborted. Returns whether it was. */
function isRefused({ signal, reject }: Pick<Entry<unknown, unknown>, "signal" | "reject">): boolean {
  if (signal.aborted) reject(signal.reason);
  return signal.aborted;
}

function tooMany(): Error {
  return new Error(`${maxWaiting} reports wait for locked rows already`);
}

/** The usual time of the statement, in milliseconds: enough if another instance is storing one of the rows. */
function briefMs(entries: readonly { readonly rows: readonly string[] }[]): number {
  return 5 + Math.ceil(entries.reduce((sum, { rows }) => sum + rows.length, 0) / 20);
}
