import type { FindingKind } from "../kinds.ts";
import { type Fields, isObject, textOf } from "../shape.ts";

/** What Trivy can be told to look for. */
export type TrivyKind = Exclude<FindingKind, "findings">;

export const missing: Readonly<Record<TrivyKind, string>> = {
  vulnerabilities: "does not show that vulnerabilities were looked for: no result is of packages",
  secrets: "does not show that secrets were looked for: Trivy writes of them only what it found",
  misconfigurations: "does not show that misconfigurations were looked for: no result is of a configuration",
};

/** Gathers what the results of Trivy show to have been looked for. */
export class ShownKinds {
  readonly #byReport = new Map<unknown, Map<TrivyKind, string>>();

  /** @param report what the result is of; a kind has to be shown by each of several */
  add(result: Fields, report: unknown): void {
    const shown = this.#byReport.get(report) ?? new Map<TrivyKind, string>();
    for (const [kind, evidence] of signsOf(result, report === undefined)) shown.set(kind, evidence);
    this.#byReport.set(report, shown);
  }

  /** What shows that a kind was looked for; undefined when it is not shown by every report. */
  evidenceOf(kind: TrivyKind): string | undefined {
    const evidence = [...this.#byReport.values()].map((shown) => shown.get(kind));
    return evidence.every((each) => each !== undefined) ? evidence[0] : undefined;
  }
}

/** @param isOld whether it is of the list of Trivy ≤ 0.19, which had no classes */
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
