import { normalize, resolve } from "node:path";
import { isDirectory } from "@maturity/command-line/files";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Asked } from "./asked.ts";
import { conclude, type Files, type Gathered } from "./conclude.ts";
import { contentOf } from "./copies.ts";
import { Groups } from "./groups.ts";
import { FileFault, withPlainFile } from "./plain-file.ts";
import { expandFileNames, readReportFile, type Sources } from "./report-files.ts";
import { unpackedBeginning } from "./unpacked.ts";
import { claimsOn, excluded, failed, judge, type Refusal, type Reports, type Verdict } from "./verdict.ts";
import { walk } from "./walk.ts";

/**
 * Largest JSON or XML file that is read whole only because its beginning does not show whether it is a report. In
 * bytes.
 */
const maxOpenBytes = 67_108_864;

/**
 * Reads files and the files of directories, one after the other, and merges the reports of each metric and each
 * problem.
 *
 * @param args files, directories, patterns, and `-` for standard input
 * @param onProgress called with each file before it is read
 * @throws UsageError if an argument names no file, or a directory holds too many
 */
export async function gather(
  args: readonly string[],
  asked: Asked,
  sources: Sources,
  onProgress: (text: string) => void,
): Promise<Gathered> {
  return conclude(await readFiles(args, asked, sources, onProgress), asked, await import("@maturity/reports"));
}

/**
 * Reads files and the files of directories, one after the other. The parameters are those of `gather`.
 *
 * @throws UsageError if an argument names no file, or a directory holds too many
 */
export async function readFiles(
  args: readonly string[],
  asked: Asked,
  sources: Sources,
  onProgress: (text: string) => void,
): Promise<Files> {
  const reports = await import("@maturity/reports");
  const verdicts: Verdict[] = [];
  const groups = new Groups();
  const seen = new Set<string>();
  let isFormatUsed = asked.format === undefined;
  for await (const { file, isGiven, refusal } of filesOf(await expandFileNames(args, sources.cwd), asked, sources)) {
    if (seen.has(file)) continue;
    seen.add(file);
    isFormatUsed ||= isGiven && claimsOn(file, asked).formats.length === 0;
    onProgress(`reading file ${seen.size}: ${file} …`);
    const read: Read = refusal
      ? { verdict: { file, uses: [], refusal, notes: [] } }
      : await readFile(file, isGiven, asked, reports, sources);
    verdicts.push("bytes" in read ? groups.add(read.verdict, await contentOf(read.bytes)) : read.verdict);
  }
  return { verdicts, groups, isFormatUsed };
}

/** The files that the arguments name, then the files of the directories among them. `isGiven` is true of those that are named. */
async function* filesOf(
  names: readonly string[],
  asked: Asked,
  { cwd }: Sources,
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

/** The refusal of something that is no file. It fails if a flag of the caller names it. */
function noFile(reason: string, file: string, asked: Asked): Refusal {
  if (isClaimed(file, asked)) return failed("not-a-file", reason);
  return { state: "passed over", code: "not-a-file", reason, isReport: false };
}

/** `bytes` is there if the file is used. */
type Read = { readonly verdict: Verdict; readonly bytes: Uint8Array } | { readonly verdict: Verdict };

async function readFile(
  file: string,
  isGiven: boolean,
  asked: Asked,
  reports: Reports,
  sources: Sources,
): Promise<Read> {
  const refuse = (refusal: Refusal): Read => ({ verdict: { file, uses: [], refusal, notes: [] } });
  try {
    const read = isGiven
      ? await readReportFile(file, sources, "it")
      : await readIfReport(resolve(sources.cwd, file), isClaimed(file, asked), reports);
    if ("state" in read) return refuse(read);
    const verdict = judge(file, read, isGiven, asked, reports, sources.now());
    return verdict.uses.length > 0 ? { verdict, bytes: read } : { verdict };
  } catch (error) {
    if (error instanceof UsageError && isGiven) return refuse(failed("unreadable-file", error.message));
    if (!(error instanceof FileFault)) throw error;
    return refuse(error.isHarmless ? noFile(error.message, file, asked) : failed("unreadable-file", error.message));
  }
}

/** Whether a pattern of the caller names this file. */
function isClaimed(file: string, asked: Asked): boolean {
  return Object.values(claimsOn(file, asked)).some((claims) => claims.length > 0);
}

/**
 * The bytes of a file of a directory, or a refusal if its beginning shows that it is no report. Then the rest is not
 * read.
 *
 * @param isNamed whether a pattern of the caller names the file, which is then read in any case
 */
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
    // The beginning of a gzip file may be too short to unpack anything from it.
    const isMute = content !== beginning && content.length === 0;
    if (isNamed || isMute || !("other" in known) || known.damage !== undefined) {
      return isWhole ? beginning : file.whole();
    }
    if (!known.isOpen) return noReport(known.other, false);
    if (file.size <= maxOpenBytes) return file.whole();
    return noReport(`${known.other}, as far as its beginning shows`, true);
  });
}

function noReport(what: string, isReport: boolean): Refusal {
  return { state: "passed over", code: "unknown-format", reason: `this looks like ${what}`, isReport };
}
