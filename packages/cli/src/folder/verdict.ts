import type { Reading, ReadOptions, ReportError } from "@maturity/reports";
import { metricNamed } from "../metrics.ts";
import { tryingToRead } from "../ways-out.ts";
import type { Asked, FedMetric } from "./asked.ts";
import type { AskedProblem } from "./asked-problems.ts";
import type { Claim } from "./claims.ts";
import { excludeText, waysFor } from "./refusals.ts";

/** What a file is used for: a metric, or a problem. */
export interface Use {
  readonly about: { readonly metric: FedMetric } | { readonly problem: AskedProblem };
  /** What of the caller names the file for it. */
  readonly claim?: Claim<unknown>;
  readonly reading: Reading;
}

/** Why a file is not used. */
export interface Refusal {
  /** What is passed over is told; what failed lets the whole call fail. */
  readonly state: "passed over" | "failed";
  readonly code: string;
  readonly reason: string;
  /** Whether it is a report, or might be one. */
  readonly isReport: boolean;
}

/** What becomes of a file. */
export interface Verdict {
  readonly file: string;
  /** As far as it is known. */
  readonly format?: string;
  readonly uses: readonly Use[];
  readonly refusal?: Refusal;
  readonly notes: readonly string[];
}

/** The package, which is loaded when there is a file to read. */
export type Reports = typeof import("@maturity/reports");

/** What the caller says of a file. */
export function claimsOn(
  file: string,
  { metrics, formats, problems }: Asked,
): Pick<Asked, "metrics" | "formats" | "problems"> {
  const matching = <Value>(claims: readonly Claim<Value>[]) => claims.filter((claim) => claim.matches(file));
  return { metrics: matching(metrics), formats: matching(formats), problems: matching(problems) };
}

/** Of these a report is one, but is broken, of a scan that failed, or has findings that nobody can score. */
const failures: ReadonlySet<string> = new Set(["unreadable-report", "failed-scan", "no-severity"]);

/**
 * Reads a report for everything it is to be used for. What a file of a directory is of itself, it decides itself; where
 * it does not decide, it is passed over. What the caller named has to be taken.
 *
 * @param isGiven whether the file is an argument of its own
 */
export function judge(file: string, bytes: Uint8Array, isGiven: boolean, asked: Asked, reports: Reports): Verdict {
  const claims = claimsOn(file, asked);
  const isNamed = isGiven || Object.values(claims).some((list) => list.length > 0);
  const format = claims.formats.at(-1)?.value ?? (isGiven ? asked.format : undefined);
  const options: ReadOptions = {
    ...(format !== undefined && { format }),
    ...(asked.assumeScanned && isNamed && { assumeScanned: true }),
    ...(asked.assumeSeverity && { assumeSeverity: asked.assumeSeverity }),
  };
  const uses: Use[] = [];
  const refused: { error: ReportError; claim: Claim<unknown> | undefined; tried: ReadOptions }[] = [];
  const attempt = (
    tried: ReadOptions,
    claim: Claim<unknown> | undefined,
    aboutOf: (reading: Reading) => Use["about"],
  ) => {
    try {
      const reading = reports.readReport(bytes, { ...options, ...tried });
      uses.push({ about: aboutOf(reading), ...(claim && { claim }), reading });
    } catch (error) {
      if (!(error instanceof reports.ReportError)) throw error;
      refused.push({ error, claim, tried });
    }
  };
  for (const { metric, claim } of wantedMetrics(claims.metrics, asked.metric)) {
    attempt({ for: "score", ...(metric && { metric: metric.metric }) }, claim, (reading) => ({
      metric: metric ?? { ...metricNamed(reading.metric ?? ""), metric: reading.metric ?? "image_scan" },
    }));
  }
  const problems = wantedProblems(claims.problems);
  for (const claim of problems) {
    const { kind } = claim.value;
    attempt({ for: "problem", ...(kind && { kind }) }, claim, () => ({ problem: claim.value }));
  }
  const read = uses[0]?.reading.format;
  const recognized = read === undefined ? reports.recognize(bytes, true) : undefined;
  const known = read ?? (recognized && "format" in recognized ? recognized.format.name : undefined);
  const verdict = { file, ...(known && { format: known }), uses, notes: [] };
  const tooMany = sameFindings(uses);
  if (tooMany) return { ...verdict, uses: [], refusal: failed("wrong-usage", tooMany) };
  // What the caller named the file for tells more than what it was tried for beside that.
  const grave =
    refused.find(({ claim }) => claim) ?? refused.find(({ error }) => failures.has(error.code) || uses.length === 0);
  if (!grave) {
    const silent = refused.filter(({ error }) => error.code === "empty-report" || isSilent(error));
    return { ...verdict, notes: silent.map(({ error }) => `${file} feeds no metric: ${error.message}`) };
  }
  const { error, claim, tried } = grave;
  const waysOut = isNamed ? error.waysOut : error.waysOut.filter((way) => !("assumeScanned" in way));
  const otherwise = tryingToRead((other) => reports.readReport(bytes, other), { ...options, ...tried });
  const problem = problems.find((one) => one === claim)?.value;
  const reason = `${error.message}${waysFor(file, { code: error.code, waysOut }, problem, otherwise)}`;
  if (isNamed || failures.has(error.code)) return { ...verdict, uses: [], refusal: failed(error.code, reason) };
  if (recognized && "damage" in recognized) {
    // Which tool wrote it nobody knows, so it may be a part of anything.
    const broken = `this looks like ${recognized.other}, but ${recognized.damage}; leave it out by ${excludeText(file)}`;
    return { ...verdict, uses: [], refusal: failed("unreadable-report", broken) };
  }
  const isReport = error.code !== "unknown-format" && bytes.length > 0;
  return { ...verdict, uses: [], refusal: { state: "passed over", code: error.code, reason, isReport } };
}

/** Whether it would have fed the metric that its tool is made for. */
function isSilent({ waysOut }: ReportError): boolean {
  return waysOut.some((way) => "assumeScanned" in way);
}

export function failed(code: string, reason: string): Refusal {
  return { state: "failed", code, reason, isReport: true };
}

/** The metrics that a file is read for; of one without a name the report decides. */
function wantedMetrics(claims: readonly Claim<FedMetric>[], plain: FedMetric | undefined) {
  if (claims.length === 0) return [{ metric: plain, claim: undefined }];
  const byName = new Map(claims.map((claim) => [`${claim.value.scorecard}.${claim.value.metric}`, claim]));
  return [...byName.values()].map((claim) => ({ metric: claim.value, claim }));
}

/** The problems that a file is read for, each once: of two claims for one, that which names the kind of findings counts. */
function wantedProblems(claims: readonly Claim<AskedProblem>[]): readonly Claim<AskedProblem>[] {
  return claims.filter(({ value: { type, kind } }, index) => {
    const same = claims.slice(index + 1).filter(({ value }) => value.type === type);
    const before = claims.slice(0, index).filter(({ value }) => value.type === type);
    return kind
      ? !same.some(({ value }) => value.kind === kind)
      : same.length === 0 && !before.some(({ value }) => value.kind);
  });
}

/** The secrets of a report stand beside what else it finds; any two other metrics would count the same findings. */
function sameFindings(uses: readonly Use[]): string | undefined {
  const metrics = uses.flatMap(({ about }) => ("metric" in about ? about.metric.metric : []));
  const others = metrics.filter((metric) => metric !== "secret_scan");
  if (others.length <= 1) return undefined;
  return `it is named for ${others.join(" and ")}, and one report measures only one of them`;
}
