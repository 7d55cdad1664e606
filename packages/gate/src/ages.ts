import { duration } from "@maturity/command-line/duration";
import type { DatedFile } from "@maturity/report-files/ages";
import type { MergedReading } from "@maturity/report-files/readings";
import { fileNames } from "@maturity/report-files/refusals";
import { spokenName } from "@maturity/report-files/report-files";
import type { MaximumAge } from "./conditions.ts";

/** How old the reports of a gate are. */
export interface Ages {
  readonly maximum: MaximumAge;
  /** The reports that are older, the oldest first, each with its age in milliseconds. */
  readonly tooOld: readonly (Required<DatedFile> & { readonly age: number })[];
  /** The reports that do not state when their tool ran. They pass. */
  readonly undated: readonly DatedFile[];
}

/** @param now milliseconds since 1970 */
export function agesOf(readings: readonly Pick<MergedReading, "dates">[], maximum: MaximumAge, now: number): Ages {
  const files = new Map(readings.flatMap(({ dates }) => dates).map((dated) => [dated.file, dated]));
  const tooOld = [...files.values()]
    .flatMap(({ file, measuredAt }) => (measuredAt ? [{ file, measuredAt, age: now - Date.parse(measuredAt) }] : []))
    .filter(({ age }) => age > maximum.ms)
    .sort((one, other) => other.age - one.age);
  const undated = [...files.values()].filter(({ measuredAt }) => measuredAt === undefined);
  return { maximum, tooOld, undated };
}

/** The condition in words, and the report that breaks it the most. */
export function agesText({ maximum, tooOld: [oldest, ...others] }: Ages): string {
  const condition = `no report older than ${maximum.text}`;
  if (!oldest) return condition;
  const more = others.length === 0 ? "" : `; too old as well: ${namesOf(others)}`;
  return `${condition}, but ${spokenName(oldest.file)} is ${duration(oldest.age)} old${more}`;
}

/** What a warning says of reports that do not state their age. Undefined if all do. */
export function undatedText({ undated }: Ages): string | undefined {
  if (undated.length === 0) return undefined;
  const says = undated.length === 1 ? "it does" : "they do";
  return `--max-age cannot judge ${namesOf(undated)}: ${says} not state when the tool ran`;
}

function namesOf(files: readonly DatedFile[]): string {
  return fileNames(files.map(({ file }) => spokenName(file)));
}
