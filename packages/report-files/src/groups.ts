import type { ReportError } from "@maturity/reports";
import { Copies, copyText, sameText } from "./copies.ts";
import { claimText, excludeText, fileNames } from "./refusals.ts";
import type { Refusal, Use, Verdict } from "./verdict.ts";
import { bothFor, writerOf } from "./writers.ts";

/** The reports that become one result of a metric, or one problem. */
export interface Group {
  readonly about: Use["about"];
  readonly members: readonly Member[];
}

interface Member extends Use {
  readonly file: string;
}

/** The name of the metric or problem, for messages. */
export function nameOf(about: Use["about"]): string {
  return "metric" in about ? about.metric.metric : `the problem ${about.problem.type}`;
}

/** Identifies the metric or problem. */
export function keyOf(about: Use["about"]): string {
  return "metric" in about
    ? `metric ${about.metric.scorecard}.${about.metric.metric}`
    : `problem ${about.problem.type}`;
}

/** Collects the reports of each metric and problem. Copies are left out. */
export class Groups {
  readonly #groups = new Map<string, { about: Use["about"]; members: Member[] }>();
  readonly #copies = new Copies();

  get all(): readonly Group[] {
    return [...this.#groups.values()];
  }

  /**
   * Adds a file to the group of each of its uses.
   *
   * @param content the result of `contentOf`
   * @returns the verdict without those uses for which an earlier file has the same content
   */
  add(verdict: Verdict, content: string): Verdict {
    const { file, notes } = verdict;
    const uses: Use[] = [];
    const copied: { original: string; about: string }[] = [];
    for (const use of verdict.uses) {
      const key = keyOf(use.about);
      const original = this.#copies.originalOf(file, content, `${use.reading.format} ${use.reading.kind} ${key}`);
      if (original !== undefined) {
        copied.push({ original, about: nameOf(use.about) });
        continue;
      }
      const group = this.#groups.get(key) ?? { about: use.about, members: [] };
      this.#groups.set(key, group);
      group.members.push({ ...use, file });
      uses.push(use);
    }
    const [first] = copied;
    if (!first) return verdict;
    if (uses.length === 0) return { ...verdict, uses, refusal: copyOf(first.original) };
    const copies = copied.map(({ original, about }) => `${copyText(file, original)} for ${about}`);
    return { ...verdict, uses, notes: [...notes, ...copies] };
  }
}

function copyOf(original: string): Refusal {
  return { state: "passed over", code: "copy", reason: sameText(original), isReport: true };
}

/** Why the reports of a group cannot be merged. */
export interface Conflict {
  /** The reason, and the flags that would help. */
  readonly message: string;
  /** The refusal of each report of the group. */
  readonly refusal: Refusal;
}

/**
 * Finds two reports of a group that must not be merged. Undefined if there are none.
 *
 * Reports of different formats, or of a format of several tools by different ones, are a conflict, because they mostly
 * come from different tools that looked at the same thing, so their findings would count twice. The caller can have them
 * added up by naming each with a flag of its own. Different kinds of findings are always a conflict, because a problem is
 * about one kind.
 */
export function conflictIn({ about, members }: Group): Conflict | undefined {
  // There may be thousands of reports. Two of the same tool, kind and flag need not be compared with each other.
  const sorts = new Map(
    members.toReversed().map((one) => [`${writerOf(one)} ${one.reading.kind} ${one.claim?.text}`, one]),
  );
  const different = [...sorts.values()].reverse();
  for (const [index, one] of different.entries()) {
    for (const other of different.slice(index + 1)) {
      const kinds = [one.reading.kind, other.reading.kind];
      const isOtherKind = "problem" in about && kinds[0] !== kinds[1];
      if (!isOtherKind && (writerOf(one) === writerOf(other) || areBothNamed(one, other))) continue;
      const reason = bothFor(one, other, nameOf(about));
      const canAddUp = !one.reading.load && !other.reading.load;
      const [flag, value] = "metric" in about ? ["--metric", about.metric.metric] : ["--problems", about.problem.type];
      const claims = [one, other].map(({ file }) => claimText(flag, file, value)).join(" ");
      const way = isOtherKind
        ? `, but about different things (${kinds.join(", ")}): give each a type of its own`
        : `: leave one out by ${excludeText(other.file)}${canAddUp ? `, or have them added up by ${claims}` : ""}`;
      return { message: reason + way, refusal: refusal(reason) };
    }
  }
  return undefined;
}

function areBothNamed({ claim: one }: Member, { claim: other }: Member): boolean {
  return one !== undefined && other !== undefined && one.text !== other.text;
}

/** The conflict of reports whose formats cannot be merged. */
export function unmergeable({ about, members }: Group, { message }: ReportError): Conflict {
  const reason = `${fileNames(members.map(({ file }) => file))} are all for ${nameOf(about)}: ${message}`;
  return { message: `${reason}; leave all but one out by --exclude`, refusal: refusal(reason) };
}

function refusal(reason: string): Refusal {
  return { state: "failed", code: "not-mergeable", reason, isReport: true };
}
