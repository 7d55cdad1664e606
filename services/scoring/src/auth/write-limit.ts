import { LRUCache } from "lru-cache";
import { ServiceError } from "../model/errors.ts";

const minuteMs = 60_000;

/**
 * Limits the changes of each person within a minute.
 *
 * @param limit the largest number of changes
 * @returns a function to call before each change with the key of the person, which throws ServiceError `too-many-changes`
 */
export function createWriteLimit(limit: number): (caller: string) => void {
  const people = new LRUCache<string, { changes: number }>({ max: 10_000 });
  return (caller) => {
    const person = people.get(caller) ?? { changes: 0 };
    people.set(caller, person);
    if (person.changes >= limit) {
      throw new ServiceError(
        "too-many-changes",
        `a person may make ${limit} changes within a minute; try again shortly`,
      );
    }
    person.changes++;
    setTimeout(() => person.changes--, minuteMs).unref();
  };
}
