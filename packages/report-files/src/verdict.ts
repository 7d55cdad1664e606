import type { Reading, ReadOptions, ReportError } from "@maturity/reports";
import { withAge } from "./ages.ts";
import type { Asked, FedMetric } from "./asked.ts";
import type { AskedProblem } from "./asked-problems.ts";
import type { Claim } from "./claims.ts";
import { metricNamed } from "./metric-name.ts";
import { excludeText, waysFor } from "./refusals.ts";
import { tryingToRead } from "./ways-out.ts";

/** One use of a file: for a metric or for a problem. */
export interface Use {
  readonly about: { readonly metric: FedMetric } | { readonly problem: AskedProblem };
  /** The flag that names the file for this use; absent if the report decides itself. */
  readonly claim?: Claim<unknown>;
  readonly reading: Reading;
}

/** Why a file is not used. */
export interface Refusal {
  /** A file that is passed over is only mentioned. A file that failed makes the whole call fail. */
  readonly state: "passed over" | "failed";
  readonly code: string;
  readonly reason: string;
  /** Whether the file is a report or may be one. */
  readonly isReport: boolean;
}

/** What becomes of a file. */
export interface Verdict {
  readonly file: string;
  /** Its format, if that is known. */
  readonly format?: string;
  readonly uses: readonly Use[];
  readonly refusal?: Refusal;
  readonly notes: readonly string[];
}

/** The package `@maturity/reports`, which is loaded only when there are files to read. */
export type Reports = typeof import("@maturity/reports");

/** The flags whose patterns match a file. */
export function claimsOn(
  file: string,
  { metrics, formats, problems }: Asked,
): Pick<Asked, "metrics" | "formats" | "problems"> {
  const matching = <Value>(claims: readonly Claim<Value>[]) => claims.filter((claim) => claim.matches(file));
  return { metrics: matching(metrics), formats: matching(formats), problems: matching(problems) };
}

/** Errors of files that are reports, but broken, from a failed scan, or with findings that cannot be scored. */
const failures: ReadonlySet<string> = new Set(["unreadable-report", "failed-scan", "no-severity"]);

/**
 * Reads a report for all its uses. A flag of the caller can say what these are, and else the report itself. If neither
 * does, a file of a directory is passed over. A file that the caller named, by itself or by a pattern, fails instead.
 *
 * @param isGiven whether the file is an argument of its own
 * @param now milliseconds since 1970
 */
export function judge(
  file: string,
  bytes: Uint8Array,
  isGiven: boolean,
  asked: Asked,
  reports: Reports,
  now: number,
): Verdict {
  const claims = claimsOn(file, asked);
  const isNamed = isGiven || Object.values(claims).some((list) => list.length > 0);
  const format = claims.formats.at(-1)?.value ?? (isGiven ? asked.format : undefined);
  const options: ReadOptions = {
    now,
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
      const reading = withAge(reports.readReport(bytes, { ...options, ...tried }), now);
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
  // If several uses are refused, one that the caller asked for explains more than one that was only tried.
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
    // The tool that wrote a damaged file is unknown. So it may be a part of any group, and cannot be passed over.
    const broken = `this looks like ${recognized.other}, but ${recognized.damage}; leave it out by ${excludeText(file)}`;
    return { ...verdict, uses: [], refusal: failed("unreadable-report", broken) };
  }
  const isBlank = recognized !== undefined && "empty" in recognized && recognized.empty === "blank";
  const isReport = error.code !== "unknown-format" && !isBlank;
  return { ...verdict, uses: [], refusal: { state: "passed over", code: error.code, reason, isReport } };
}

/** Whether the report was refused only because it does not prove that the tool looked for anything. */
function isSilent({ waysOut }: ReportError): boolean {
  return waysOut.some((way) => "assumeScanned" in way);
}

/** The refusal of every file that `--exclude` leaves out. */
export const excluded: Refusal = {
  state: "passed over",
  code: "excluded",
  reason: "left out by --exclude",
  isReport: false,
};

/** The refusal of a file that makes the whole call fail. */
export function failed(code: string, reason: string): Refusal {
  return { state: "failed", code, reason, isReport: true };
}

/** The metrics that a file is read for. An undefined metric means that the report decides. */
function wantedMetrics(claims: readonly Claim<FedMetric>[], plain: FedMetric | undefined) {
  if (claims.length === 0) return [{ metric: plain, claim: undefined }];
  const byName = new Map(claims.map((claim) => [`${claim.value.scorecard}.${claim.value.metric}`, claim]));
  return [...byName.values()].map((claim) => ({ metric: claim.value, claim }));
}

/**
 * The problems that a file is read for, each once. If two flags name the same one, that with a kind of findings counts.
 */
function wantedProblems(claims: readonly Claim<AskedProblem>[]): readonly Claim<AskedProblem>[] {
  return claims.filter(({ value: { type, kind } }, index) => {
    const same = claims.slice(index + 1).filter(({ value }) => value.type === type);
    const before = claims.slice(0, index).filter(({ value }) => value.type === type);
    return kind
      ? !same.some(({ value }) => value.kind === kind)
      : same.length === 0 && !before.some(({ value }) => value.kind);
  });
}

/**
 * The fault of a file that is used for metrics which would count the same findings. Only `secret_scan` goes together
 * with another metric, because a report lists secrets apart from its other findings.
 */
function sameFindings(uses: readonly Use[]): string | undefined {
  const metrics = uses.flatMap(({ about }) => ("metric" in about ? about.metric.metric : []));
  const others = metrics.filter((metric) => metric !== "secret_scan");
  if (others.length <= 1) return undefined;
  return `it is named for ${others.join(" and ")}, and one report measures only one of them`;
}
