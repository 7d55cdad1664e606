import { unreadable } from "./errors.ts";

/** Whether a text of a report is a finite number. */
export function isNumber(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "" && Number.isFinite(Number(text));
}

/** Whether a number can count something: it is whole and not below 0. */
export function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}

/**
 * The number that a text of a report is.
 *
 * @param what how the error names it: `hits of <line>`
 * @throws ReportError when the text is missing or no finite number
 */
export function numberIn(text: string | undefined, what: string): number {
  if (!isNumber(text)) throw unreadable(`${what} must be a number`);
  return Number(text);
}

/**
 * The count that a text of a report is.
 *
 * @throws ReportError when the text is missing or no whole number from 0 on
 */
export function countIn(text: string | undefined, what: string): number {
  const count = numberIn(text, what);
  if (!isCount(count)) throw unreadable(`${what} must be a whole number`);
  return count;
}
