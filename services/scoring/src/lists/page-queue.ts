import { slice } from "../http/slices.ts";
import { overloaded, ServiceError } from "../model/errors.ts";

/** How many pages of one list are made at a time: as many as there are connections of the database to read them. */
const atATime = 4;

/** How long the caller of a page waits for its making to begin, in milliseconds. */
const waitMs = 10_000;

/** A queue for each list. */
export interface PageQueue {
  /**
   * Makes a page when four of its list are no longer being made, in the order of their callers.
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

/**
 * A page of 1,000 items takes some ten milliseconds of this process, and many callers may ask in the same moment. If all
 * their pages were made in one go, writes and health checks would wait for the last of them.
 *
 * @param onRefusal called for every caller who is refused
 */
export function createPageQueue(onRefusal: () => void): PageQueue {
  const lists = new Map<string, { underWay: number; readonly waiting: Set<() => void> }>();

  async function begin(list: string, { waits, isPatient }: Caller): Promise<() => void> {
    const queue = lists.get(list) ?? { underWay: 0, waiting: new Set() };
    lists.set(list, queue);
    const next = () => {
      const [first] = queue.waiting;
      if (first) first();
      else queue.underWay--;
    };
    if (queue.underWay < atATime) queue.underWay++;
    else
      await new Promise<void>((resolve, reject) => {
        const goOn = () => {
          clearTimeout(timer);
          queue.waiting.delete(goOn);
          resolve();
        };
        const refuse = () => {
          queue.waiting.delete(goOn);
          onRefusal();
          reject(overloaded());
        };
        const timer = isPatient ? undefined : setTimeout(refuse, waitMs);
        queue.waiting.add(goOn);
      });
    await slice();
    if (waits()) return next;
    next();
    throw new ServiceError("overloaded", "the caller did not wait for the answer");
  }

  return {
    async take(list, make, caller) {
      const end = await begin(list, caller);
      try {
        return await make();
      } finally {
        end();
      }
    },
  };
}
