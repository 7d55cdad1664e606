import type { Facts } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { gravestOf, noFindings, type Severity, type SeverityCounts, severityOf } from "../severities.ts";

/** What either format of dependency-check says, counted while it is read. */
export interface DependencyCheck {
  readonly severities: SeverityCounts;
  dependencies: number;
  suppressed: number;
  /** The analysers that failed, each by its name or undefined. */
  readonly failed: (string | undefined)[];
  version: string | undefined;
}

/** What is known before anything is read. */
export function nothingRead(): DependencyCheck {
  return { severities: noFindings(), dependencies: 0, suppressed: 0, failed: [], version: undefined };
}

/** The facts of such a report. That nothing was found only counts if there were dependencies. */
export function dependencyCheckFacts(scan: DependencyCheck): Facts {
  const { severities, dependencies, suppressed, failed, version } = scan;
  const evidence = dependencies > 0 ? "dependencies" : undefined;
  const notes = suppressed > 0 ? [`${suppressed} suppressed, not counted`] : [];
  return {
    severities: measuredCounts(severities, evidence, "names no dependencies"),
    tool: version ? `dependency-check ${version}` : "dependency-check",
    warnings: [...new Set(failed)].map(
      (analyser) => `${analyser ?? "an analyser"} failed, so what it looks for may be missing`,
    ),
    notes,
  };
}

/** The class of the analyser that threw an exception, by its message or a line of its stack. */
export function analyserIn(text: string): string | undefined {
  return /\b(?!Abstract)[A-Z][A-Za-z]{0,60}Analyzer\b/.exec(text)?.[0];
}

/**
 * The severity of a vulnerability: the gravest word of its CVSS versions, since the tool's own word follows only one of
 * them; without any, the tool's own word.
 */
export function severityOfVulnerability(cvss: readonly unknown[], own: unknown): Severity | "unknown" {
  const gravest = gravestOf(cvss.map((word) => severityOf(word)));
  return gravest === "unknown" ? severityOf(own, { moderate: "medium" }) : gravest;
}
