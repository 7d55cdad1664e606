import type { Facts } from "../format.ts";
import { measuredCounts } from "../measurement.ts";
import { gravestOf, noFindings, type Severity, type SeverityCounts, severityOf } from "../severities.ts";

/** What a report of dependency-check contains. Both of its formats, JSON and XML, fill this in while they are read. */
export interface DependencyCheck {
  readonly severities: SeverityCounts;
  dependencies: number;
  suppressed: number;
  /** The names of the analysers that failed. Undefined stands for one without a name. */
  readonly failed: (string | undefined)[];
  version: string | undefined;
}

/** The state before reading. */
export function nothingRead(): DependencyCheck {
  return { severities: noFindings(), dependencies: 0, suppressed: 0, failed: [], version: undefined };
}

/** The facts of such a report. A report without findings counts as clean only if it names dependencies. */
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

/** The class of the analyser that threw an exception, from the message or a line of the stack. */
export function analyserIn(text: string): string | undefined {
  return /\b(?!Abstract)[A-Z][A-Za-z]{0,60}Analyzer\b/.exec(text)?.[0];
}

/**
 * The severity of a vulnerability: the gravest of its CVSS versions. The severity that the tool itself gives follows
 * only one of these versions. So it is used only if there are none.
 */
export function severityOfVulnerability(cvss: readonly unknown[], own: unknown): Severity | "unknown" {
  const gravest = gravestOf(cvss.map((word) => severityOf(word)));
  return gravest === "unknown" ? severityOf(own, { moderate: "medium" }) : gravest;
}
