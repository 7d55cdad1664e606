import type { AssumedSeverity, FindingKind, Reading, ReadOptions, WayOut } from "@maturity/reports";

/** The flags of `maturity problem` for a kind of findings; `findings` are meant where none of them is given. */
export const kindFlags: Readonly<Record<FlaggedKind, string>> = {
  secrets: "--secrets",
  misconfigurations: "--misconfigurations",
  vulnerabilities: "--vulnerabilities",
};

export type FlaggedKind = Exclude<FindingKind, "findings">;

export function isFlagged(kind: FindingKind | undefined): kind is FlaggedKind {
  return kind !== undefined && Object.hasOwn(kindFlags, kind);
}

/** What a report is if it is read in another way; undefined where that is refused too. */
export type TryRead = (way: ReadOptions) => Reading | undefined;

/** Tries to read a report in other ways than that which failed, so that none is proposed that fails as well. */
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

/** What to give for a report to be taken after all, to follow an error; nothing when nothing helps. */
export function inFlags(ways: readonly WayOut[]): string {
  const flags = ways.flatMap((way) => flagOf(way) ?? []);
  const word = ways.some((way) => "assumeScanned" in way) ? "--assume-scanned, if you know that it was looked for" : "";
  const others = flags.join(" or ");
  if (others && word) return `; give ${others} for that, or ${word}`;
  return others || word ? `; give ${others || word}` : "";
}

/** What a report of findings without severities needs as well. */
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
