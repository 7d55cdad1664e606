import { own } from "../own.ts";
import type { Severity } from "../severities.ts";

const risks: Readonly<Record<string, Severity>> = { 0: "info", 1: "low", 2: "medium", 3: "high" };

/** The severity for a risk code of ZAP, which is a text in its reports. ZAP has no severity `critical`. */
export function riskOf(riskcode: unknown): Severity | "unknown" {
  return own(risks, codeOf(riskcode)) ?? "unknown";
}

/** Whether a person has marked the alert as a false positive. Its confidence is then 0. */
export function isFalsePositive(confidence: unknown): boolean {
  return codeOf(confidence) === "0";
}

/** What is missing in a report without a site that has a list of alerts. */
export const noSite = "lists no site with its alerts, so it does not show that anything was visited";

export function zapNotes(falsePositives: number): string[] {
  return falsePositives > 0 ? [`${falsePositives} marked as false positives, not counted`] : [];
}

function codeOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
