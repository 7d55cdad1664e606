import { own } from "../own.ts";
import type { Severity } from "../severities.ts";

const risks: Readonly<Record<string, Severity>> = { 0: "info", 1: "low", 2: "medium", 3: "high" };

/** The severity of ZAP's risk code, which its reports write as a text. ZAP knows nothing critical. */
export function riskOf(riskcode: unknown): Severity | "unknown" {
  return own(risks, codeOf(riskcode)) ?? "unknown";
}

/** Whether a person marked the alert as false: its confidence is 0. */
export function isFalsePositive(confidence: unknown): boolean {
  return codeOf(confidence) === "0";
}

/** What a report lacks that shows no site with its list of alerts. */
export const noSite = "lists no site with its alerts, so it does not show that anything was visited";

export function zapNotes(falsePositives: number): string[] {
  return falsePositives > 0 ? [`${falsePositives} marked as false positives, not counted`] : [];
}

function codeOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
