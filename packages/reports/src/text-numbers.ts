import { unreadable } from "./errors.ts";

/** Whether a text is a finite number. */
export function isNumber(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "" && Number.isFinite(Number(text));
}

/** Whether a number is whole and not below 0. */
export function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}

/**
 * Reads a text as a number.
 *
 * @param what what the error calls it, such as `hits of <line>`
 * @throws ReportError if the text is missing or no finite number
 */
export function numberIn(text: string | undefined, what: string): number {
  if (!isNumber(text)) throw unreadable(`${what} must be a number`);
  return Number(text);
}

/**
 * Reads a text as a whole number from 0.
 *
 * @param what what the error calls it
 * @throws ReportError if the text is missing or no such number
 */
export function countIn(text: string | undefined, what: string): number {
  const count = numberIn(text, what);
  if (!isCount(count)) throw unreadable(`${what} must be a whole number`);
  return count;
}
