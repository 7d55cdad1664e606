import { didYouMean } from "@maturity/command-line/did-you-mean";
import { requireName } from "@maturity/command-line/require-name";
import { UsageError } from "@maturity/command-line/usage-error";
import { severities as severityNames } from "@maturity/core/wire";
import type { Severity } from "@maturity/reports";
import { type FlaggedKind, isFlagged, kindFlags } from "./ways-out.ts";

/** A problem that `--problems` names, for reports to open or resolve. */
export interface AskedProblem {
  readonly type: string;
  /** The kind of findings that it is about. Needed if the tool is not made for one kind. */
  readonly kind?: FlaggedKind;
  /** Replaces the gravest severity of the reports. */
  readonly severity?: Severity;
}

/**
 * Reads the part of `--problems` after the pattern, such as `repository_secret,secrets,high`: the type, and after it a
 * kind of findings and a severity, in any order. Both may be missing.
 *
 * @throws UsageError that says what is allowed there
 */
export function parseProblem(text: string): AskedProblem {
  const [type = "", ...words] = text.split(",").map((word) => word.trim());
  if (type === "") throw wrongProblem();
  requireName(`the type of --problems`, type);
  const kinds = words.filter((word): word is FlaggedKind => isFlagged(word as FlaggedKind));
  const severities = words.filter((word): word is Severity => severityNames.includes(word as Severity));
  const names = [...Object.keys(kindFlags), ...severityNames];
  const other = words.find((word) => !names.includes(word));
  if (other !== undefined) {
    const meant = didYouMean(other, names);
    throw wrongProblem(`--problems knows no ${JSON.stringify(other)}${meant ? `${meant} It` : "; it"}`);
  }
  if (kinds.length > 1 || severities.length > 1) throw wrongProblem(`--problems has ${words.join(",")} at once; it`);
  const [kind] = kinds;
  const [severity] = severities;
  return { type, ...(kind && { kind }), ...(severity && { severity }) };
}

/** @param subject the beginning of the message, which may say what is wrong */
export function wrongProblem(subject = "--problems"): UsageError {
  const kinds = Object.keys(kindFlags).join(", ");
  const severities = severityNames.join(", ");
  return new UsageError(
    `${subject} must be PATTERN=TYPE, such as gitleaks.json=repository_secret,high; behind commas stand at most one of ${kinds} and one of ${severities}`,
  );
}
