import type { Severity } from "@maturity/reports";
import { severityNames } from "../severities.ts";
import { UsageError } from "../usage-error.ts";
import { type FlaggedKind, isFlagged, kindFlags } from "../ways-out.ts";

/** A problem that reports are to open or resolve. */
export interface AskedProblem {
  readonly type: string;
  /** What it is about, where the tool is not made for one kind. */
  readonly kind?: FlaggedKind;
  /** Instead of the gravest of the reports. */
  readonly severity?: Severity;
}

/**
 * Reads `TYPE`, and behind commas a kind of findings and a severity, as they come: `repository_secret,secrets,high`.
 *
 * @throws UsageError that says what may stand there
 */
export function parseProblem(text: string): AskedProblem {
  const [type = "", ...words] = text.split(",").map((word) => word.trim());
  const kinds = words.filter((word): word is FlaggedKind => isFlagged(word as FlaggedKind));
  const severities = words.filter((word): word is Severity => severityNames.includes(word as Severity));
  const isRead = kinds.length <= 1 && severities.length <= 1 && kinds.length + severities.length === words.length;
  if (type === "" || !isRead) throw wrongProblem();
  const [kind] = kinds;
  const [severity] = severities;
  return { type, ...(kind && { kind }), ...(severity && { severity }) };
}

export function wrongProblem(): UsageError {
  const kinds = Object.keys(kindFlags).join(", ");
  const severities = severityNames.join(", ");
  return new UsageError(
    `--problems must be PATTERN=TYPE, and behind commas at most one of ${kinds} and one of ${severities}, such as gitleaks.json=repository_secret,high`,
  );
}
