import { LRUCache } from "lru-cache";
import { createRoom, type Share } from "../http/room.ts";
import { ServiceError } from "../model/errors.ts";

const minuteMs = 60_000;

/**
 * Limits the changes of each person within a minute.
 *
 * @param limit the largest number of changes
 * @returns a function to call before each change with the key of the person, which throws ServiceError `too-many-changes`
 */
export function createWriteLimit(limit: number): (caller: string) => void {
  const people = new LRUCache<string, () => Share>({ max: 10_000 });
  return (caller) => {
    const newShare = people.get(caller) ?? createRoom(limit);
    people.set(caller, newShare);
    const share = newShare();
    if (share.grow(1)) {
      setTimeout(share.release, minuteMs).unref();
    } else {
      share.release();
      throw new ServiceError(
        "too-many-changes",
        `a person may make ${limit} changes within a minute; try again shortly`,
      );
    }
  };
}
