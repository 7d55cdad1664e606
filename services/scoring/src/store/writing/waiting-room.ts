import { isLocked } from "../database.ts";
import { type Attempt, type Entry, refuse } from "./attempt.ts";

/**
 * Holds entries that wait for rows locked by other transactions. They use no connection meanwhile and do not delay
 * others.
 */
export interface WaitingRoom<Value, Answer> {
  /** Does an entry wait for this row, or behind one that does? */
  has(id: string): boolean;
  /** Takes in entries of which some met a locked row. Those whose rows are free are stored at once. */
  admit(entries: readonly Entry<Value, Answer>[]): void;
  /** Takes in an entry behind others that wait for one of its rows. */
  follow(entry: Entry<Value, Answer>): void;
}

/**
 * Finds out which rows are free. The value is false while another transaction locks the row. Rows that do not exist are
 * left out, and so is a row that another transaction is just inserting.
 */
export type FindFree = (ids: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;

/**
 * Largest number of waiting entries. Beyond it they are refused, so that most places of the process are left to others.
 */
const maxWaiting = 500;

/**
 * Pause between two looks at all waiting entries, in milliseconds. It doubles from the first value to the last while
 * nothing changes.
 */
const pauseMs = { first: 5, last: 50 };

/**
 * Time in each look for entries whose row cannot be seen, in milliseconds, because each of their tries waits a little.
 */
const unseenMs = 100;

interface Guest<Value, Answer> {
  readonly entry: Entry<Value, Answer>;
  /** Rows to look at before the next try: at first all, later those that were seen locked. */
  suspects: readonly string[];
  /** Did it meet a lock on a row that does not exist yet, which cannot be seen? */
  meetsUnseen: boolean;
}

/** Makes a waiting room. It works only while an entry waits, with one connection at a time. */
export function createWaitingRoom<Value, Answer>(
  attempt: Attempt<Value, Answer>,
  findFree: FindFree,
): WaitingRoom<Value, Answer> {
  type Guests = Guest<Value, Answer>[];
  /** Waiting entries in the order of arrival, and the number of entries that wait for each row. */
  const guests = new Set<Guest<Value, Answer>>();
  const waitingFor = new Map<string, number>();
  const newcomers: Guests = [];
  let wake = () => {};
  let atWork = false;

  function enter(entry: Entry<Value, Answer>): Guest<Value, Answer> {
    const guest: Guest<Value, Answer> = { entry, suspects: entry.ids, meetsUnseen: false };
    guests.add(guest);
    for (const id of entry.ids) waitingFor.set(id, (waitingFor.get(id) ?? 0) + 1);
    return guest;
  }

  function leave(leaving: Guests): void {
    for (const guest of leaving) {
      if (!guests.delete(guest)) continue;
      for (const id of guest.entry.ids) {
        const left = (waitingFor.get(id) ?? 0) - 1;
        if (left > 0) waitingFor.set(id, left);
        else waitingFor.delete(id);
      }
    }
  }

  async function work(): Promise<void> {
    atWork = true;
    let restMs = pauseMs.first / 2;
    let nextLook = 0;
    while (guests.size > 0) {
      leave([...guests].filter(({ entry }) => refuse(entry)));
      const isDue = performance.now() >= nextLook;
      const fresh = newcomers.splice(0).filter((guest) => guests.has(guest));
      const stored = await look(isDue ? [...guests] : fresh);
      if (isDue) {
        restMs = stored ? pauseMs.first : Math.min(2 * restMs, pauseMs.last);
        nextLook = performance.now() + restMs;
      }
      if (newcomers.length === 0) await rest(nextLook - performance.now());
    }
    atWork = false;
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(ms, 0));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Stores the entries whose rows are free. Returns whether there were any. */
  async function look(at: Guests): Promise<boolean> {
    if (at.length === 0) return false;
    try {
      return await tryFree(at, await findFree([...new Set(at.flatMap(({ suspects }) => suspects))]));
    } catch (error) {
      if (isLocked(error)) return false; // the whole table is
      for (const { entry } of at) entry.reject(error);
      leave(at);
      return false;
    }
  }

  async function tryFree(at: Guests, free: ReadonlyMap<string, boolean>): Promise<boolean> {
    for (const guest of at) {
      if (guest.suspects.every((id) => free.has(id))) guest.meetsUnseen = false;
      guest.suspects = guest.suspects.filter((id) => free.get(id) === false);
    }
    const [seen, unseen] = partGuests(at);
    const until = performance.now() + unseenMs;
    const met = new Set([
      ...(await attempt(entriesOf(seen), { splitLocked: () => true })),
      ...(await attempt(entriesOf(unseen), { splitLocked: () => performance.now() < until })),
    ]);
    const tried = [...seen, ...unseen];
    const gone = tried.filter(({ entry }) => !met.has(entry));
    leave(gone);
    for (const guest of tried.filter(({ entry }) => met.has(entry))) {
      guest.suspects = guest.entry.ids;
      guest.meetsUnseen = guest.entry.ids.some((id) => !free.has(id));
    }
    refuseBeyond();
    return gone.length > 0;
  }

  /**
   * Separates entries whose rows seem to be free: first those without, then those with a recent lock that cannot be
   * seen, their own or that of an earlier entry.
   */
  function partGuests(at: Guests): [Guests, Guests] {
    const heldIds = new Set<string>();
    const unseenIds = new Set<string>();
    const seen: Guests = [];
    const unseen: Guests = [];
    for (const guest of at) {
      const { ids } = guest.entry;
      const isHeld = guest.suspects.length > 0 || ids.some((id) => heldIds.has(id));
      const isUnseen = guest.meetsUnseen || ids.some((id) => unseenIds.has(id));
      if (isHeld) for (const id of ids) heldIds.add(id);
      else if (isUnseen) for (const id of ids) unseenIds.add(id);
      if (!isHeld) (isUnseen ? unseen : seen).push(guest);
    }
    return [seen, unseen];
  }

  function refuseBeyond(): void {
    if (guests.size <= maxWaiting) return;
    const beyond = [...guests].slice(maxWaiting).filter((guest) => !newcomers.includes(guest));
    for (const { entry } of beyond) entry.reject(tooMany());
    leave(beyond);
  }

  return {
    has: (id) => waitingFor.has(id),
    admit(entries) {
      if (entries.length === 0) return;
      newcomers.push(...entries.map(enter));
      wake();
      if (!atWork) void work();
    },
    follow(entry) {
      if (guests.size < maxWaiting) enter(entry);
      else entry.reject(tooMany());
    },
  };
}

function entriesOf<Value, Answer>(guests: readonly Guest<Value, Answer>[]): readonly Entry<Value, Answer>[] {
  return guests.map(({ entry }) => entry);
}

function tooMany(): Error {
  return new Error(`${maxWaiting} reports wait for locked rows already`);
}
