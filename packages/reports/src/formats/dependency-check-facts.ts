import type { Facts } from "../format.ts";
import { measuredBy } from "../measurement.ts";
import { gravestOf, type Severity, type SeverityCounts, severityOf } from "../severities.ts";

/** What either format of dependency-check says. */
export interface DependencyCheck {
  readonly severities: SeverityCounts;
  readonly dependencies: number;
  readonly suppressed: number;
  /** How many analysers failed. */
  readonly exceptions: number;
  readonly version: string | undefined;
}

/** The facts of such a report. That nothing was found only counts if there were dependencies, and no analyser failed. */
export function dependencyCheckFacts(scan: DependencyCheck): Facts {
  const { severities, dependencies, suppressed, exceptions, version } = scan;
  const found = Object.values(severities).reduce((sum, count) => sum + count, 0);
  const evidence = dependencies > 0 && exceptions === 0 ? "dependencies" : undefined;
  const missing = exceptions > 0 ? "says that an analyser failed" : "names no dependencies";
  const notes = suppressed > 0 ? [`${suppressed} suppressed, not counted`] : [];
  if (exceptions > 0) notes.push(`${exceptions} analysers failed, so not everything was looked for`);
  return {
    severities: measuredBy(severities, found, evidence, missing),
    tool: version ? `dependency-check ${version}` : "dependency-check",
    notes,
  };
}

/**
 * The severity of a vulnerability: the gravest word of its CVSS versions, since the tool's own word follows only one of
 * them; without any, the tool's own word.
 */
export function severityOfVulnerability(cvss: readonly unknown[], own: unknown): Severity | "unknown" {
  const gravest = gravestOf(cvss.map((word) => severityOf(word)));
  return gravest === "unknown" ? severityOf(own, { moderate: "medium" }) : gravest;
}
