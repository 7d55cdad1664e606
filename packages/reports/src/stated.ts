import { unreadable } from "./errors.ts";

/**
 * Refuses a report that states more findings than it lists. The others were lost, cut away, or written to another file.
 *
 * @param stated the number that the report states; may have any type
 * @param listed number of findings that it lists
 * @param path the path of `stated`
 * @throws ReportError
 */
export function refuseTruncated(stated: unknown, listed: number, path: string): void {
  if (typeof stated === "number" && stated > listed) {
    throw unreadable(`${path} says that it found ${stated}, but it lists ${listed === 0 ? "none" : `only ${listed}`}`);
  }
}

/**
 * Refuses a report that states one share twice, and differently: as a number, and by what it is a share of.
 *
 * @param stated the share that the report states, 0–1; NaN or undefined contradicts nothing
 * @param counted the share by the counts; NaN, as 0 of 0, contradicts nothing
 * @param tolerance the largest difference that rounding explains
 * @param what what the error calls it, such as `the rate of checks`
 * @throws ReportError
 */
export function refuseOtherShare(stated: number | undefined, counted: number, tolerance: number, what: string): void {
  if (stated !== undefined && Math.abs(stated - counted) > tolerance) {
    throw unreadable(`${what} contradicts its counts: ${percent(stated)} is stated, and ${percent(counted)} counted`);
  }
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`;
}
