import type { Asked } from "./asked.ts";
import { type Group, type Groups, keyOf, nameOf } from "./groups.ts";
import { type FoundProblem, mergeGroup } from "./merge-group.ts";
import { metricText } from "./metric-name.ts";
import { claimText, fileNames } from "./refusals.ts";
import type { MetricResult } from "./results.ts";
import { claimsOn, excluded, type Refusal, type Reports, type Use, type Verdict } from "./verdict.ts";

/** What a call found in its files, and what it makes of that. */
export interface Gathered {
  /** One for each file, in the order in which the files were met. */
  readonly verdicts: readonly Verdict[];
  /** What can be sent as scores. */
  readonly results: readonly MetricResult[];
  /** What can be sent as problems. */
  readonly problems: readonly FoundProblem[];
  /** What the tools could not do. */
  readonly warnings: readonly string[];
  /** What a person should know besides the results. */
  readonly notes: readonly string[];
  /** What failed. Without `--keep-going` a single fault prevents sending. */
  readonly faults: readonly PathFault[];
}

/** Something that failed. */
export interface PathFault {
  /** The file, or the flag with its pattern; empty if the message names the files. */
  readonly path: string;
  readonly message: string;
}

/** What reading the files has shown. */
export interface Files {
  /** One for each file, in the order in which the files were met. */
  readonly verdicts: readonly Verdict[];
  readonly groups: Groups;
  /** Whether the `--format` without a pattern applied to any file; true if there is no such flag. */
  readonly isFormatUsed: boolean;
}

/**
 * Merges each group of reports into one result or problem, and collects the faults and notes of the whole call. A group
 * is left out if its reports cannot be merged, or if it may lack a file that could not be read.
 */
export function conclude({ verdicts, groups, isFormatUsed }: Files, asked: Asked, reports: Reports): Gathered {
  const broken = verdicts.filter(({ refusal }) => refusal?.state === "failed");
  const idle = idleExcludes(asked, verdicts);
  const faults: PathFault[] = [
    ...broken.map(({ file, refusal }) => ({ path: file, message: refusal?.reason ?? "" })),
    ...unmatched(asked, verdicts),
    ...(broken.length === 0 ? unfed(asked, groups) : []),
    ...idle.map(({ text }) => ({ path: text, message: "names no file of a directory" })),
  ];
  const results: MetricResult[] = [];
  const problems: FoundProblem[] = [];
  const refusals = new Map<string, Refusal>();
  // An --exclude that matches nothing may be misspelt. Then any group may hold a file that was to be left out.
  for (const group of idle.length > 0 ? [] : groups.all) {
    const missing = asked.keepGoing ? broken.filter((verdict) => isPartOf(verdict, group, asked)) : [];
    const merged = missing.length > 0 ? undefined : mergeGroup(group, reports);
    if (merged && "result" in merged) results.push(merged.result);
    else if (merged && "problem" in merged) problems.push(merged.problem);
    else {
      const refusal = merged?.refusal ?? withheld(group, missing);
      for (const { file } of group.members) refusals.set(useKey(group.about, file), refusal);
      if (merged) faults.push({ path: "", message: merged.message });
    }
  }
  if (!isFormatUsed) faults.push(unusedFormat(asked));
  const settled = verdicts.map((verdict) => withoutRefused(verdict, refusals));
  const notes = [
    ...results.flatMap(({ metric, reading }) => (reading?.notes ?? []).map((note) => `${metric}: ${note}`)),
    ...problems.flatMap(({ found, reading }) => notesOnProblem(found, reading.notes)),
    ...settled.flatMap(notesOn),
  ];
  return { verdicts: settled, results, problems, warnings: warningsOf(results, problems), notes, faults };
}

/** The `--exclude` flags that left out no file. */
function idleExcludes({ excludes }: Asked, verdicts: readonly Verdict[]): Asked["excludes"] {
  const leftOut = verdicts.filter(({ refusal }) => refusal === excluded);
  return excludes.filter(({ matches }) => !leftOut.some(({ file }) => matches(file)));
}

/** Patterns that match no file, or only files that `--exclude` leaves out. */
export function unmatched({ metrics, formats, problems }: Asked, verdicts: readonly Verdict[]): PathFault[] {
  const files = verdicts.flatMap(({ file, refusal }) => (refusal === excluded ? [] : file));
  return [...metrics, ...formats, ...problems]
    .filter(({ matches }) => !files.some(matches))
    .map(({ text }) => ({ path: text, message: "names no file that is there" }));
}

/** The fault of a `--format` without a pattern that no file was left for. */
function unusedFormat({ format = "" }: Asked): PathFault {
  const way = claimText("--format", "FILE", format);
  const message = `is for files that are named, and none is left for it; of a directory give ${way}`;
  return { path: `--format ${format}`, message };
}

/**
 * The fault of a `--metric` without a pattern that no report feeds, although reports feed other metrics or problems.
 */
function unfed({ metric }: Asked, { all }: Groups): PathFault[] {
  if (!metric || all.length === 0 || all.some(({ about }) => keyOf(about) === keyOf({ metric }))) return [];
  return [{ path: `--metric ${metricText(metric)}`, message: "no report feeds it" }];
}

/**
 * Whether a file that failed could belong to a group. Without it the group may be an incomplete scan, which must not be
 * sent. A file belongs to the groups that the caller named it for. If the caller named it for none, it may belong to
 * any group with reports of its format. `--problems` does not settle which metric a file feeds, because a file can feed
 * a metric and a problem.
 */
function isPartOf({ file, format }: Verdict, { about, members }: Group, asked: Asked): boolean {
  const { metrics, problems } = claimsOn(file, asked);
  const ofMetrics = metrics.map(({ value }) => keyOf({ metric: value }));
  const all = [...ofMetrics, ...problems.map(({ value }) => keyOf({ problem: value }))];
  if (all.includes(keyOf(about))) return true;
  const isDecided = ("metric" in about ? ofMetrics : all).length > 0;
  return !isDecided && (format === undefined || members.some(({ reading }) => reading.format === format));
}

/** The refusal of the reports of a group that may lack some files. */
function withheld({ about }: Group, missing: readonly Verdict[]): Refusal {
  const reason = `${nameOf(about)} may lack ${fileNames(missing.map(({ file }) => file))}, so it is not sent`;
  return { state: "passed over", code: "incomplete", reason, isReport: true };
}

/** The verdict without those uses of the file that are refused now; `refusals` has the keys of `useKey`. */
function withoutRefused(verdict: Verdict, refusals: ReadonlyMap<string, Refusal>): Verdict {
  const { file, uses, notes } = verdict;
  const refused = uses.flatMap(({ about }) => refusals.get(useKey(about, file)) ?? []);
  const [refusal] = refused;
  if (!refusal) return verdict;
  const left = uses.filter(({ about }) => !refusals.has(useKey(about, file)));
  const fault = refused.find(({ state }) => state === "failed");
  if (left.length === 0 || fault) return { ...verdict, uses: left, refusal: fault ?? refusal };
  return { ...verdict, uses: left, notes: [...notes, ...refused.map(({ reason }) => reason)] };
}

/** Identifies one use of one file. */
function useKey(about: Use["about"], file: string): string {
  return `${keyOf(about)} ${file}`;
}

function warningsOf(results: readonly MetricResult[], problems: readonly FoundProblem[]): string[] {
  return [
    ...results.flatMap(({ metric, reading }) => (reading?.warnings ?? []).map((warning) => `${metric}: ${warning}`)),
    ...problems.flatMap(({ found, reading }) =>
      reading.warnings.map((warning) => `the problem ${found.problem_type}: ${warning}`),
    ),
  ];
}

function notesOnProblem({ problem_type, count, details }: FoundProblem["found"], notes: readonly string[]): string[] {
  const listed = details.length < count ? [`${details.length} of ${count} findings are listed`] : [];
  return [...notes, ...listed].map((note) => `the problem ${problem_type}: ${note}`);
}

/** The notes on a file, and one more for each metric that it could feed as well. */
function notesOn({ file, uses, notes }: Verdict): string[] {
  const fed = uses.flatMap(({ about }) => ("metric" in about ? about.metric : []));
  const metrics = fed.map(({ metric }) => metric);
  const kinds = uses.flatMap(({ about, reading }) => ("problem" in about ? (reading.kind ?? []) : []));
  const [first] = uses.filter(({ about }) => "metric" in about);
  const left = (first?.reading.held ?? []).flatMap(({ what, metric, kind }) => {
    if (!metric || metrics.includes(metric) || (kind && kinds.includes(kind))) return [];
    // A file that is named for one metric feeds no other. So the flags must name the metrics that it feeds already,
    // too.
    const claims = [...fed.map(metricText), metric].map((name) => claimText("--metric", file, name));
    return [`${file} also holds ${what}, left out here: give ${claims.join(" ")} to send both`];
  });
  return [...notes, ...left];
}
