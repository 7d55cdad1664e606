import type { FindingKind } from "../kinds.ts";
import { type Fields, isObject, textOf } from "../shape.ts";

/** The kinds of findings that Trivy can be asked to look for. */
export type TrivyKind = Exclude<FindingKind, "findings">;

const unshown: Readonly<Record<TrivyKind, string>> = {
  vulnerabilities: "does not show that vulnerabilities were looked for: no result is of packages",
  secrets: "does not show that secrets were looked for: Trivy writes of them only what it found",
  misconfigurations: "does not show that misconfigurations were looked for: no result is of a configuration",
};

const onlyPackages =
  "does not show that vulnerabilities were looked for: Trivy lists packages without that too. Scan with --list-all-pkgs=false";

/** What the results of one report show. */
interface Shown {
  readonly kinds: Map<TrivyKind, string>;
  /** Whether a result lists packages. */
  listsPackages: boolean;
  /** The class of a result that is of packages, but does not list them. */
  bareClass: string | undefined;
}

/**
 * Collects the evidence of which kinds Trivy has looked for.
 *
 * Of vulnerabilities, a list of packages is none. Trivy writes results of the classes `os-pkgs` and `lang-pkgs`
 *
 * - up to 0.31.2 only after it looked for vulnerabilities, with the packages if `--list-all-pkgs` was given
 * - from 0.31.3 on with their packages also without that, if `--list-all-pkgs` was given (pkg/scanner/local/scan.go)
 * - from 0.67 on in this way by default: `--list-all-pkgs` is true (pkg/flag/report_flags.go), and `--scanners secret`
 *   gives the same report as a scan for vulnerabilities that found none
 *
 * Without `--list-all-pkgs` such a result was always written by the scan for vulnerabilities, and has no packages
 * (pkg/report/json.go removes them since 0.52). An operating system without any package gives one too, so a report that
 * lists packages anywhere is not taken for one without `--list-all-pkgs`.
 */
export class ShownKinds {
  readonly #byReport = new Map<Fields | undefined, Shown>();

  /**
   * Adds a result.
   *
   * @param report the report of the result, because each of several needs evidence of its own; undefined for the list
   * of Trivy ≤ 0.19
   */
  add(result: Fields, report: Fields | undefined): void {
    const shown = this.#byReport.get(report) ?? { kinds: new Map(), listsPackages: false, bareClass: undefined };
    this.#byReport.set(report, shown);
    for (const [kind, evidence] of signsOf(result, report)) shown.kinds.set(kind, evidence);
    if (isListed(result.Packages)) shown.listsPackages = true;
    else if (result.Class === "os-pkgs" || result.Class === "lang-pkgs") shown.bareClass ??= result.Class;
  }

  /** The evidence that Trivy has looked for a kind. Undefined unless every report has some. */
  evidenceOf(kind: TrivyKind): string | undefined {
    const evidence = [...this.#byReport.values()].map(
      ({ kinds, listsPackages, bareClass }) =>
        kinds.get(kind) ??
        (kind === "vulnerabilities" && bareClass && !listsPackages ? `results of class ${bareClass}` : undefined),
    );
    return evidence.every((each) => each !== undefined) ? evidence[0] : undefined;
  }

  /** What is missing if there is no such evidence. */
  missing(kind: TrivyKind): string {
    const isListing = [...this.#byReport.values()].some(({ listsPackages }) => listsPackages);
    return kind === "vulnerabilities" && isListing ? onlyPackages : unshown[kind];
  }
}

/** The kinds that a result shows by itself to have been looked for, with the evidence. */
function* signsOf(result: Fields, report: Fields | undefined): Generator<[TrivyKind, string]> {
  const { Class, Target } = result;
  if (Class === "secret" || isListed(result.Secrets)) yield ["secrets", "results of class secret"];
  if (Class === "config" || isObject(result.MisconfSummary) || isListed(result.Misconfigurations)) {
    yield ["misconfigurations", "results of class config"];
  } else if (report === undefined && Class === undefined && textOf(Target)) {
    yield ["vulnerabilities", "a list of results"];
  }
  if (isListed(result.Vulnerabilities)) yield ["vulnerabilities", "vulnerabilities are listed"];
  // Only the scan for vulnerabilities looks up whether the operating system is still supported.
  if (report && isOutdated(report)) yield ["vulnerabilities", "the end of life of the operating system"];
  for (const finding of isListed(result.ExperimentalModifiedFindings) ? result.ExperimentalModifiedFindings : []) {
    const kind = isObject(finding) ? kindOfModified(finding.Type) : undefined;
    if (kind) yield [kind, "suppressed findings"];
  }
}

function isOutdated({ Metadata }: Fields): boolean {
  return isObject(Metadata) && isObject(Metadata.OS) && Metadata.OS.EOSL === true;
}

function isListed(list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length > 0;
}

function kindOfModified(type: unknown): TrivyKind | undefined {
  if (type === "secret") return "secrets";
  if (type === "misconfiguration") return "misconfigurations";
  return type === "license" ? undefined : "vulnerabilities";
}
