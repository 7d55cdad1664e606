import type { Reading } from "@maturity/reports";
import { spokenName } from "./report-files.ts";

/** A report, by its file. */
export interface Source {
  readonly file: string;
  readonly reading: Reading;
}

/** The format of a report, and its tools where several write the format. Findings of two writers may be the same. */
export function writerOf({ reading: { format, toolNames = [] } }: Source): string {
  return toolNames.length > 0 ? `${format} of ${toolNames.join(", ")}` : format;
}

/** That two reports are for the same metric or problem. */
export function bothFor(one: Source, other: Source, name: string): string {
  const [first, second] = [one, other].map((source) => `${spokenName(source.file)} (${writerOf(source)})`);
  return `${first} and ${second} are both for ${name}`;
}
