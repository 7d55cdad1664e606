import { unreadable } from "./errors.ts";
import { isPositive } from "./shape.ts";

/**
 * Refuses a report that lists nothing, but counts findings itself: they are lost, or went to another file.
 *
 * @param stated what the report says it found, of whatever type that is
 * @param listed how many findings it has
 * @param path of `stated`
 * @throws ReportError
 */
export function refuseLost(stated: unknown, listed: number, path: string): void {
  if (listed === 0 && isPositive(stated)) throw unreadable(`${path} says that it found ${stated}, but it lists none`);
}
