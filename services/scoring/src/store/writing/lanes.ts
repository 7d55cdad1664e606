import { type Attempt, type Entry, refuse } from "./attempt.ts";
import type { WaitingRoom } from "./waiting-room.ts";

/** Where entries wait for a statement of their own, or one that they share. */
export interface Lane<Value, Answer> {
  push(entry: Entry<Value, Answer>): void;
}

export interface LaneOptions {
  /** Rows that share a transaction; an entry with more has one to itself. */
  readonly maxRows: number;
  /** Transactions at a time, not counting those that are slow. */
  readonly atATime: number;
  /** Transactions at a time in all. */
  readonly atMost: number;
}

/** After so long, in milliseconds, a transaction is slow, and further ones run beside it: it may be its connection alone. */
const slowMs = 250;

/**
 * Lets entries that arrive while a transaction runs share the next one, as PostgreSQL lets transactions share a write to the
 * log: each is answered only after the commit, and under load a commit is paid once for many. Where only one arrives at a
 * time, each has its own at once.
 *
 * All lanes made by it share their rows: no row is in two transactions at a time, so that they never wait for each other,
 * and entries of one row are stored in the order in which they came. Those that meet a row which is locked elsewhere, or
 * come behind one that did, go to the waiting room.
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

    /** Those that come first and whose rows are free, and at least one. */
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
