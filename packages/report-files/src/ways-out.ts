import type { AssumedSeverity, FindingKind, Reading, ReadOptions, WayOut } from "@maturity/reports";

/** The flags of `maturity problem report` that choose a kind of findings. The kind `findings` has no flag. */
export const kindFlags: Readonly<Record<FlaggedKind, string>> = {
  secrets: "--secrets",
  misconfigurations: "--misconfigurations",
  vulnerabilities: "--vulnerabilities",
};

export type FlaggedKind = Exclude<FindingKind, "findings">;

export function isFlagged(kind: FindingKind | undefined): kind is FlaggedKind {
  return kind !== undefined && Object.hasOwn(kindFlags, kind);
}

/** Reads a report with other options. Returns undefined if that is refused, too. */
export type TryRead = (way: ReadOptions) => Reading | undefined;

/**
 * Makes a function that reads a report again with changed options. With it an error message proposes only options that
 * work.
 *
 * @param options those with which reading has failed
 */
export function tryingToRead(read: (options: ReadOptions) => Reading, options: ReadOptions): TryRead {
  return (way) => {
    try {
      return read({ ...options, ...way });
    } catch (error) {
      if (error instanceof Error && error.name === "ReportError") return undefined;
      throw error;
    }
  };
}

/** The end of an error message: the flags with which the report would be accepted. Empty if there are none. */
export function inFlags(ways: readonly WayOut[]): string {
  const flags = ways.flatMap((way) => flagOf(way) ?? []);
  const word = ways.some((way) => "assumeScanned" in way) ? "--assume-scanned, if you know that it was looked for" : "";
  const others = flags.join(" or ");
  if (others && word) return `; give ${others} for that, or ${word}`;
  return others || word ? `; give ${others || word}` : "";
}

/** The flag to give beside `--metric`, if the findings of the report have no severities. Begins with a blank. */
export function besideMetric(way: WayOut): string {
  return "assumeSeverity" in way ? ` --assume-severity ${way.assumeSeverity}` : "";
}

export function severityFlag(severity: AssumedSeverity | undefined): string {
  return `--assume-severity ${severity} to have them counted as ${severity}`;
}

function flagOf(way: WayOut): string | undefined {
  if ("metric" in way) return `--metric ${way.metric}${besideMetric(way)}`;
  if ("assumeSeverity" in way) return severityFlag(way.assumeSeverity);
  return "kind" in way && isFlagged(way.kind) ? kindFlags[way.kind] : undefined;
}
