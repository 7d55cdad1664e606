import { unreadable } from "./errors.ts";
import { isPositive } from "./shape.ts";

/**
 * Refuses a report that lists no findings, but states a number of them. The findings were lost, or written to another
 * file.
 *
 * @param stated the number that the report states; may have any type
 * @param listed number of findings that it lists
 * @param path the path of `stated`
 * @throws ReportError
 */
export function refuseLost(stated: unknown, listed: number, path: string): void {
  if (listed === 0 && isPositive(stated)) throw unreadable(`${path} says that it found ${stated}, but it lists none`);
}
