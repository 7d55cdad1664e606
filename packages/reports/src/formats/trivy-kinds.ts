import type { FindingKind } from "../kinds.ts";
import { type Fields, isObject, textOf } from "../shape.ts";

/** The kinds of findings that Trivy can be told to look for. */
export type TrivyKind = Exclude<FindingKind, "findings">;

export const missing: Readonly<Record<TrivyKind, string>> = {
  vulnerabilities: "does not show that vulnerabilities were looked for: no result is of packages",
  secrets: "does not show that secrets were looked for: Trivy writes of them only what it found",
  misconfigurations: "does not show that misconfigurations were looked for: no result is of a configuration",
};

/** Collects the evidence of which kinds Trivy has looked for. */
export class ShownKinds {
  readonly #byReport = new Map<unknown, Map<TrivyKind, string>>();

  /**
   * Adds a result.
   *
   * @param report identifies the report of the result, because each of several reports needs evidence of its own
   */
  add(result: Fields, report: unknown): void {
    const shown = this.#byReport.get(report) ?? new Map<TrivyKind, string>();
    for (const [kind, evidence] of signsOf(result, report === undefined)) shown.set(kind, evidence);
    this.#byReport.set(report, shown);
  }

  /** The evidence that Trivy has looked for a kind. Undefined unless every report has some. */
  evidenceOf(kind: TrivyKind): string | undefined {
    const evidence = [...this.#byReport.values()].map((shown) => shown.get(kind));
    return evidence.every((each) => each !== undefined) ? evidence[0] : undefined;
  }
}

/**
 * The kinds that a result shows to have been looked for, with the evidence.
 *
 * @param isOld whether the result is from Trivy ≤ 0.19, which had no classes
 */
function* signsOf(result: Fields, isOld: boolean): Generator<[TrivyKind, string]> {
  const { Class, Target } = result;
  if (Class === "os-pkgs" || Class === "lang-pkgs") yield ["vulnerabilities", `results of class ${Class}`];
  if (Class === "secret" || isListed(result.Secrets)) yield ["secrets", "results of class secret"];
  if (Class === "config" || isObject(result.MisconfSummary) || isListed(result.Misconfigurations)) {
    yield ["misconfigurations", "results of class config"];
  } else if (isOld && Class === undefined && textOf(Target)) yield ["vulnerabilities", "a list of results"];
  if (isListed(result.Packages) || isListed(result.Vulnerabilities)) yield ["vulnerabilities", "packages are listed"];
  for (const finding of isListed(result.ExperimentalModifiedFindings) ? result.ExperimentalModifiedFindings : []) {
    const kind = isObject(finding) ? kindOfModified(finding.Type) : undefined;
    if (kind) yield [kind, "suppressed findings"];
  }
}

function isListed(list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length > 0;
}

function kindOfModified(type: unknown): TrivyKind | undefined {
  if (type === "secret") return "secrets";
  if (type === "misconfiguration") return "misconfigurations";
  return type === "license" ? undefined : "vulnerabilities";
}
