import { normalize, resolve } from "node:path";
import type { Context } from "../context.ts";
import { contentOf } from "../copies.ts";
import { isDirectory } from "../files.ts";
import { metricText } from "../metrics.ts";
import type { RawResult } from "../raw-results.ts";
import { expandFileNames, readReportFile } from "../report-files.ts";
import { UsageError } from "../usage-error.ts";
import type { Asked } from "./asked.ts";
import { type Group, Groups, keyOf, nameOf } from "./groups.ts";
import { type FoundProblem, mergeGroup } from "./merge-group.ts";
import { FileFault, withPlainFile } from "./plain-file.ts";
import { claimText, fileNames } from "./refusals.ts";
import { unpackedBeginning } from "./unpacked.ts";
import { claimsOn, failed, judge, type Refusal, type Reports, type Verdict } from "./verdict.ts";
import { walk } from "./walk.ts";

/** What files and directories hold, and what becomes of it. */
export interface Gathered {
  /** Of every file, in the order they were met. */
  readonly verdicts: readonly Verdict[];
  readonly results: readonly RawResult[];
  readonly problems: readonly FoundProblem[];
  /** What the tools could not do. */
  readonly warnings: readonly string[];
  /** What a person should know beside it. */
  readonly notes: readonly string[];
  /** What failed, by the files it is about. */
  readonly faults: readonly PathFault[];
}

/** What failed with a file, or with the files of a pattern. */
export interface PathFault {
  readonly path: string;
  readonly message: string;
}

/** JSON and XML whose beginning does not tell the format are read up to this size, to learn it and whether they are whole. */
const maxOpenBytes = 67_108_864;

/** Reads files, and what directories hold, one after the other, and merges what is about one metric or problem. */
export async function gather(
  args: readonly string[],
  asked: Asked,
  context: Context,
  onProgress: (text: string) => void,
): Promise<Gathered> {
  const reports = await import("@maturity/reports");
  const verdicts: Verdict[] = [];
  const groups = new Groups();
  const seen = new Set<string>();
  let isFormatUsed = asked.format === undefined;
  for await (const { file, isGiven, refusal } of filesOf(await expandFileNames(args, context.cwd), asked, context)) {
    if (seen.has(file)) continue;
    seen.add(file);
    isFormatUsed ||= isGiven && claimsOn(file, asked).formats.length === 0;
    onProgress(`reading ${file} …`);
    const read: Read = refusal
      ? { verdict: { file, uses: [], refusal, notes: [] } }
      : await readFile(file, isGiven, asked, reports, context);
    verdicts.push("bytes" in read ? groups.add(read.verdict, await contentOf(read.bytes)) : read.verdict);
  }
  const gathered = conclude(verdicts, groups, asked, reports);
  return isFormatUsed ? gathered : { ...gathered, faults: [...gathered.faults, unusedFormat(asked)] };
}

/** Files that are named stand as they are, and come first; what a directory holds is looked for. */
async function* filesOf(
  names: readonly string[],
  asked: Asked,
  { cwd }: Context,
): AsyncGenerator<{ file: string; isGiven: boolean; refusal?: Refusal }> {
  const directories: string[] = [];
  for (const name of names) {
    if (name !== "-" && (await isDirectory(resolve(cwd, name)))) directories.push(name);
    else yield { file: name === "-" ? name : normalize(name), isGiven: true };
  }
  for (const directory of directories) {
    for await (const { file, passedOver, failed: reason } of walk(directory, cwd)) {
      if (asked.excludes.some(({ matches }) => matches(file))) yield { file, isGiven: false, refusal: excluded };
      else if (reason !== undefined) yield { file, isGiven: false, refusal: failed("unreadable-file", reason) };
      else if (passedOver !== undefined) yield { file, isGiven: false, refusal: noFile(passedOver, file, asked) };
      else yield { file, isGiven: false };
    }
  }
}

const excluded: Refusal = { state: "passed over", code: "excluded", reason: "left out by --exclude", isReport: false };

/** What is named has to be there. */
function noFile(reason: string, file: string, asked: Asked): Refusal {
  if (isClaimed(file, asked)) return failed("not-a-file", reason);
  return { state: "passed over", code: "not-a-file", reason, isReport: false };
}

type Read = { readonly verdict: Verdict; readonly bytes: Uint8Array } | { readonly verdict: Verdict };

async function readFile(
  file: string,
  isGiven: boolean,
  asked: Asked,
  reports: Reports,
  context: Context,
): Promise<Read> {
  const refuse = (refusal: Refusal, format?: string): Read => {
    return { verdict: { file, ...(format && { format }), uses: [], refusal, notes: [] } };
  };
  try {
    const read = isGiven
      ? await readReportFile(file, context, "it")
      : await readIfReport(resolve(context.cwd, file), isClaimed(file, asked), reports);
    if ("state" in read) return refuse(read);
    const verdict = judge(file, read, isGiven, asked, reports);
    return verdict.uses.length > 0 ? { verdict, bytes: read } : { verdict };
  } catch (error) {
    if (error instanceof UsageError && isGiven) return refuse(failed("unreadable-file", error.message));
    if (!(error instanceof FileFault)) throw error;
    return refuse(error.isHarmless ? noFile(error.message, file, asked) : failed("unreadable-file", error.message));
  }
}

function isClaimed(file: string, asked: Asked): boolean {
  return Object.values(claimsOn(file, asked)).some((claims) => claims.length > 0);
}

/** The bytes of a file that may be a report, as its beginning tells; of any other no more than the beginning is read. */
async function readIfReport(
  path: string,
  isNamed: boolean,
  { recognize, beginningLength }: Reports,
): Promise<Uint8Array | Refusal> {
  return withPlainFile(path, async (file) => {
    const beginning = await file.beginning(beginningLength);
    const isWhole = beginning.length < beginningLength;
    const content = await unpackedBeginning(beginning, beginningLength);
    const known = recognize(content, isWhole && content === beginning);
    // A gzip file of which nothing can be unpacked says nothing of what it holds.
    const isMute = content !== beginning && content.length === 0;
    if (isNamed || isMute || !("other" in known) || known.damage !== undefined) {
      return isWhole ? beginning : file.whole();
    }
    if (!known.isOpen) return noReport(known.other, false);
    if (file.size <= maxOpenBytes) return file.whole();
    return noReport(`${known.other}, as far as its beginning tells`, true);
  });
}

function noReport(what: string, isReport: boolean): Refusal {
  return { state: "passed over", code: "unknown-format", reason: `this looks like ${what}`, isReport };
}

/** Merges the groups. What cannot be merged fails. What lacks a part that could not be read is left out. */
function conclude(verdicts: readonly Verdict[], groups: Groups, asked: Asked, reports: Reports): Gathered {
  const broken = verdicts.filter(({ refusal }) => refusal?.state === "failed");
  const faults: PathFault[] = broken.map(({ file, refusal }) => ({ path: file, message: refusal?.reason ?? "" }));
  for (const { text, matches } of [...asked.metrics, ...asked.formats, ...asked.problems]) {
    if (!verdicts.some(({ file, refusal }) => refusal !== excluded && matches(file)))
      faults.push({ path: text, message: "names no file that is there" });
  }
  if (broken.length === 0) faults.push(...unfed(asked, groups));
  const idle = asked.excludes.filter(
    ({ matches }) => !verdicts.some((one) => one.refusal === excluded && matches(one.file)),
  );
  faults.push(...idle.map(({ text }) => ({ path: text, message: "names no file of a directory" })));
  const results: RawResult[] = [];
  const problems: FoundProblem[] = [];
  const refusals = new Map<string, Refusal>();
  // What a pattern does not leave out is taken, so nobody knows which result is as it was meant.
  for (const group of idle.length > 0 ? [] : groups.all) {
    const missing = asked.keepGoing ? broken.filter((verdict) => isPartOf(verdict, group, asked)) : [];
    const merged = missing.length > 0 ? undefined : mergeGroup(group, reports);
    if (merged && "result" in merged) results.push(merged.result);
    else if (merged && "problem" in merged) problems.push(merged.problem);
    else {
      const refusal = merged?.refusal ?? withheld(group, missing);
      for (const { file } of group.members) refusals.set(`${keyOf(group.about)} ${file}`, refusal);
      if (merged) faults.push({ path: "", message: merged.message });
    }
  }
  const warnings = [
    ...results.flatMap(({ metric, reading }) => (reading?.warnings ?? []).map((warning) => `${metric}: ${warning}`)),
    ...problems.flatMap(({ found, reading }) =>
      reading.warnings.map((warning) => `the problem ${found.problem_type}: ${warning}`),
    ),
  ];
  const settled = verdicts.map((verdict) => withoutRefused(verdict, refusals));
  const notes = [
    ...results.flatMap(({ metric, reading }) => (reading?.notes ?? []).map((note) => `${metric}: ${note}`)),
    ...problems.flatMap(({ found, reading }) => notesOnProblem(found, reading.notes)),
    ...settled.flatMap(notesOn),
  ];
  return { verdicts: settled, results, problems, warnings, notes, faults };
}

function unusedFormat({ format = "" }: Asked): PathFault {
  const way = claimText("--format", "FILE", format);
  const message = `is for files that are named, and none is left for it; of a directory give ${way}`;
  return { path: `--format ${format}`, message };
}

/** A metric for all other files that no report feeds, although others feed something and none failed. */
function unfed({ metric }: Asked, { all }: Groups): PathFault[] {
  if (!metric || all.length === 0 || all.some(({ about }) => keyOf(about) === keyOf({ metric }))) return [];
  return [{ path: `--metric ${metricText(metric)}`, message: "no report feeds it" }];
}

/**
 * Whether a file that failed would, or could, have been one of the reports of a group: half of a scan is none. What is
 * said of problems decides nothing about metrics, which a file feeds beside them.
 */
function isPartOf({ file, format }: Verdict, { about, members }: Group, asked: Asked): boolean {
  const { metrics, problems } = claimsOn(file, asked);
  const ofMetrics = metrics.map(({ value }) => keyOf({ metric: value }));
  const all = [...ofMetrics, ...problems.map(({ value }) => keyOf({ problem: value }))];
  if (all.includes(keyOf(about))) return true;
  const isDecided = ("metric" in about ? ofMetrics : all).length > 0;
  return !isDecided && (format === undefined || members.some(({ reading }) => reading.format === format));
}

function withheld({ about }: Group, missing: readonly Verdict[]): Refusal {
  const reason = `${nameOf(about)} may lack ${fileNames(missing.map(({ file }) => file))}, so it is not sent`;
  return { state: "passed over", code: "incomplete", reason, isReport: true };
}

function withoutRefused(verdict: Verdict, refusals: ReadonlyMap<string, Refusal>): Verdict {
  const { file, uses, notes } = verdict;
  const refused = uses.flatMap(({ about }) => refusals.get(`${keyOf(about)} ${file}`) ?? []);
  const [refusal] = refused;
  if (!refusal) return verdict;
  const left = uses.filter(({ about }) => !refusals.has(`${keyOf(about)} ${file}`));
  const fault = refused.find(({ state }) => state === "failed");
  if (left.length === 0 || fault) return { ...verdict, uses: left, refusal: fault ?? refusal };
  return { ...verdict, uses: left, notes: [...notes, ...refused.map(({ reason }) => reason)] };
}

function notesOnProblem({ problem_type, count, details }: FoundProblem["found"], notes: readonly string[]): string[] {
  const listed = details.length < count ? [`${details.length} of ${count} findings are listed`] : [];
  return [...notes, ...listed].map((note) => `the problem ${problem_type}: ${note}`);
}

/** What is to be known of a file, and what else it holds. */
function notesOn({ file, uses, notes }: Verdict): string[] {
  const fed = uses.flatMap(({ about }) => ("metric" in about ? about.metric : []));
  const metrics = fed.map(({ metric }) => metric);
  const kinds = uses.flatMap(({ about, reading }) => ("problem" in about ? (reading.kind ?? []) : []));
  const [first] = uses.filter(({ about }) => "metric" in about);
  const left = (first?.reading.held ?? []).flatMap(({ what, metric, kind }) => {
    if (!metric || metrics.includes(metric) || (kind && kinds.includes(kind))) return [];
    // A file that is named for one metric feeds no other, so the claims are all that it takes.
    const claims = [...fed.map(metricText), metric].map((name) => claimText("--metric", file, name));
    return [`${file} also holds ${what}, left out here: give ${claims.join(" ")} to send both`];
  });
  return [...notes, ...left];
}
