import { isLocked } from "../database.ts";
import { type Attempt, type Entry, refuse } from "./attempt.ts";

/** Where entries wait for rows that other transactions hold, without a connection, and without holding up others. */
export interface WaitingRoom<Value, Answer> {
  /** Does somebody wait for this row, or behind one who does? */
  has(id: string): boolean;
  /** Takes in entries some of which met a locked row. Those whose rows are free are stored at once. */
  admit(entries: readonly Entry<Value, Answer>[]): void;
  /** Takes in an entry behind those that wait for one of its rows. */
  follow(entry: Entry<Value, Answer>): void;
}

/**
 * Says of rows whether they are free: false while another transaction holds one. Rows that do not exist are left out; one
 * that another transaction is just inserting is not to be seen.
 */
export type FindFree = (ids: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;

/** More are refused, so that most places of the process are left to others. */
const maxWaiting = 500;

/** Between two looks at all that wait, in milliseconds: the first, and doubled up to the last while nothing changes. */
const pauseMs = { first: 5, last: 50 };

/** In each look so long is given to those whose row cannot be seen, since each try of one waits a little. */
const unseenMs = 100;

interface Guest<Value, Answer> {
  readonly entry: Entry<Value, Answer>;
  /** The rows to look at before it is tried: at first all, then those that were seen locked. */
  suspects: readonly string[];
  /** Did it meet a lock that cannot be seen, on a row that does not exist yet? */
  meetsUnseen: boolean;
}

/** Makes a waiting room, which is at work only while somebody waits. It uses one connection at a time. */
export function createWaitingRoom<Value, Answer>(
  attempt: Attempt<Value, Answer>,
  findFree: FindFree,
): WaitingRoom<Value, Answer> {
  type Guests = Guest<Value, Answer>[];
  /** In the order in which they came, and with how many of them wait for each row. */
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

  /** Stores those of these guests whose rows are free; says whether any was. */
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

  /** Those whose rows seem free, and of these the ones that lately met a lock which cannot be seen, or come behind one. */
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
