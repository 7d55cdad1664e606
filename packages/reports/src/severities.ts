import type { Severity } from "@maturity/core";
import { severities } from "@maturity/core/wire";
import { own } from "./own.ts";

export { type Severity, severities };

/** Number of findings of each severity. */
export type SeverityCounts = Record<Severity | "unknown", number>;

/** Counts that start at 0, to be added to. */
export function noFindings(): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, info: 0, unknown: 0 };
}

/** Adds counts to those of `sum`. */
export function addCounts(sum: SeverityCounts, counts: Readonly<SeverityCounts>): void {
  for (const severity of Object.keys(sum) as (keyof SeverityCounts)[]) sum[severity] += counts[severity];
}

/** Number of all findings. */
export function totalOf(counts: Readonly<SeverityCounts>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const common = severities.filter((severity) => severity !== "info");

/**
 * The severity that a tool means by a word. Upper and lower case are the same, and white space around the word does not
 * matter. critical, high, medium and low mean themselves. A word that is not known gives `unknown`.
 *
 * @param words the other words of the tool, in lower case
 */
export function severityOf(word: unknown, words: Readonly<Record<string, Severity>> = {}): Severity | "unknown" {
  if (typeof word !== "string") return "unknown";
  const lower = word.trim().toLowerCase();
  return own(words, lower) ?? common.find((severity) => severity === lower) ?? "unknown";
}

/** The gravest of several severities. `unknown` if none of them is known. */
export function gravestOf(several: readonly (Severity | "unknown")[]): Severity | "unknown" {
  return severities.find((severity) => several.includes(severity)) ?? "unknown";
}

/**
 * The severity of a CVSS score by the bands of GitHub and the NVD: critical from 9, high from 7, medium from 4, low
 * above 0. `unknown` for anything else.
 *
 * @param score a number, or a text with one
 */
export function severityOfScore(score: unknown): Severity | "unknown" {
  const number = typeof score === "number" || typeof score === "string" ? Number(score) : Number.NaN;
  if (!(number > 0)) return "unknown";
  return number >= 9 ? "critical" : number >= 7 ? "high" : number >= 4 ? "medium" : "low";
}
