import { duration } from "@maturity/command-line/duration";
import type { Reading } from "@maturity/reports";

/** A report, and when its tool ran (RFC 3339) if the report states it. */
export interface DatedFile {
  readonly file: string;
  readonly measuredAt?: string;
}

/** From this age on a note says how old a report is, in milliseconds. */
const noticed = 86_400_000;

/** The reading with a note on its age, if that is a day or more. @param now milliseconds since 1970 */
export function withAge(reading: Reading, now: number): Reading {
  const { measuredAt, coverage, load, notes } = reading;
  const age = measuredAt === undefined ? 0 : now - Date.parse(measuredAt);
  if (age < noticed) return reading;
  return { ...reading, notes: [...notes, `${coverage || load ? "measured" : "scanned"} ${duration(age)} ago`] };
}

/** A report by its name and the time of its reading. */
export function datedFile(file: string, { measuredAt }: Reading): DatedFile {
  return { file, ...(measuredAt && { measuredAt }) };
}
