import { type Attempt, type Entry, refuse } from "./attempt.ts";
import type { WaitingRoom } from "./waiting-room.ts";

/** A queue of entries, each of which gets a transaction of its own or shares one. */
export interface Lane<Value, Answer> {
  push(entry: Entry<Value, Answer>): void;
}

export interface LaneOptions {
  /** Largest number of rows in a transaction. An entry with more rows has one to itself. */
  readonly maxRows: number;
  /** Largest number of transactions at a time, without slow ones. */
  readonly atATime: number;
  /** Largest number of transactions at a time. */
  readonly atMost: number;
}

/**
 * A transaction is slow after this long, in milliseconds. Then another one may run beside it, because only its
 * connection may be at fault.
 */
const slowMs = 250;

/**
 * Makes lanes. Entries that arrive while a transaction runs share the next one. Each is answered after the commit, so
 * under load one commit serves many. An entry that arrives alone is stored at once.
 *
 * All lanes share their rows: no row is in two transactions at a time, so transactions never wait for each other, and
 * entries of one row are stored in the order of arrival. An entry that meets a row locked by somebody else, or follows
 * one that did, goes to the waiting room.
 */
export function createLanes<Value, Answer>(
  attempt: Attempt<Value, Answer>,
  room: WaitingRoom<Value, Answer>,
): (options: LaneOptions) => Lane<Value, Answer> {
  type Entries = readonly Entry<Value, Answer>[];
  const idsUnderWay = new Set<string>();
  const lanes: (() => void)[] = [];
  const startAll = () => {
    for (const start of lanes) start();
  };

  return ({ maxRows, atATime, atMost }) => {
    let queue: Entry<Value, Answer>[] = [];
    let [swift, all] = [0, 0];

    function start(): void {
      while (queue.length > 0 && swift < atATime && all < atMost) {
        const group = nextGroup();
        if (group.length === 0) return;
        void run(group);
      }
    }

    /** The first entries whose rows are free; at least one. */
    function nextGroup(): Entries {
      const group: Entry<Value, Answer>[] = [];
      const left: Entry<Value, Answer>[] = [];
      const idsBefore = new Set<string>();
      let rows = 0;
      for (const [index, entry] of queue.entries()) {
        const { ids } = entry;
        if (group.length > 0 && rows + ids.length > maxRows) {
          left.push(...queue.slice(index));
          break;
        }
        if (refuse(entry)) continue;
        if (ids.some((id) => idsUnderWay.has(id) || idsBefore.has(id))) {
          for (const id of ids) idsBefore.add(id);
          left.push(entry);
        } else if (ids.some((id) => room.has(id))) {
          room.follow(entry);
        } else {
          group.push(entry);
          rows += ids.length;
        }
      }
      queue = left;
      return group;
    }

    async function run(group: Entries): Promise<void> {
      const ids = group.flatMap((entry) => entry.ids);
      for (const id of ids) idsUnderWay.add(id);
      swift++;
      all++;
      let isSwift = true;
      const slow = setTimeout(() => {
        isSwift = false;
        swift--;
        start();
      }, slowMs);
      const locked = await attempt(group, { splitLocked: () => false });
      clearTimeout(slow);
      if (isSwift) swift--;
      all--;
      room.admit(locked);
      for (const id of ids) idsUnderWay.delete(id);
      startAll();
    }

    lanes.push(start);
    return {
      push(entry) {
        queue.push(entry);
        start();
      },
    };
  };
}
