import type { EventEmitter } from "node:events";
import { overloaded, ServiceError } from "../model/errors.ts";

/** How many pages of one list are made at a time: as many as there are connections of the database to read them. */
const atATime = 4;

/** How long the caller of a page waits for its turn, in milliseconds. */
const waitMs = 10_000;

/** For so many turns of the event loop the next page waits while connections arrive. */
const maxSkipped = 50;

/** Lets pages be made in turns. */
export interface PageTurns {
  /**
   * Makes a page when it is its turn: at most four of a list are made at a time, and in each turn of the event loop at most
   * one is begun, in the order of their callers.
   *
   * @param make reads the page and renders it
   * @param caller `waits` says whether he is still there: for nobody, nothing is made. One who `isPatient` waits as long
   * as it takes
   * @throws ServiceError `overloaded` for a caller who has waited for 10 s; errors of `make`
   */
  take<Made>(list: string, make: () => Promise<Made>, caller: Caller): Promise<Made>;
}

interface Caller {
  readonly waits: () => boolean;
  readonly isPatient: boolean;
}

interface Entry {
  readonly list: string;
  readonly waits: () => boolean;
  begin(): void;
  refuse(error: ServiceError): void;
}

/**
 * A page of 1,000 items takes some ten milliseconds of this process, and many callers may ask in the same moment. If all
 * their pages were made in one go, writes and health checks would wait for the last of them. New connections are even more
 * patient than that: the event loop accepts one in each of its turns (https://github.com/libuv/libuv/pull/3696), so no page
 * is begun while they arrive, within reason.
 *
 * @param listener emits `connection` for each of them
 * @param onRefusal called for every caller who is refused
 */
export function createPageTurns(listener: EventEmitter, onRefusal: () => void): PageTurns {
  const waiting = new Set<Entry>();
  const underWay = new Map<string, number>();
  let isScheduled = false;
  let connected = false;
  let skipped = 0;
  listener.on("connection", () => {
    connected = true;
  });

  const countOf = (list: string) => underWay.get(list) ?? 0;

  function schedule(): void {
    if (isScheduled || !next()) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      if (connected && skipped < maxSkipped) skipped++;
      else {
        skipped = 0;
        next()?.begin();
      }
      connected = false;
      schedule();
    });
  }

  /** The first that there is room for. Those whose callers are gone leave. */
  function next(): Entry | undefined {
    for (const entry of waiting) {
      if (!entry.waits()) entry.refuse(new ServiceError("overloaded", "the caller did not wait for the answer"));
      else if (countOf(entry.list) < atATime) return entry;
    }
    return undefined;
  }

  function wait(list: string, { waits, isPatient }: Caller): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(entry);
      };
      const entry: Entry = {
        list,
        waits,
        begin() {
          leave();
          underWay.set(list, countOf(list) + 1);
          resolve();
        },
        refuse(error) {
          leave();
          reject(error);
        },
      };
      const late = () => {
        onRefusal();
        entry.refuse(overloaded());
      };
      const timer = isPatient ? undefined : setTimeout(late, waitMs);
      waiting.add(entry);
      schedule();
    });
  }

  return {
    async take(list, make, caller) {
      await wait(list, caller);
      try {
        return await make();
      } finally {
        underWay.set(list, countOf(list) - 1);
        schedule();
      }
    },
  };
}
