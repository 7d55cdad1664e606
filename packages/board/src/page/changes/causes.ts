import type { Lists } from "@maturity/client";

export type ChangeTotal = Lists["/change-totals"];

export type Cause = ChangeTotal["moved"][number]["cause"];

/** The causes of a change, as they read. */
export const causeTexts: Readonly<Record<Cause, string>> = {
  report: "Reports",
  rules: "Rules",
  waiver: "Waivers",
  policy: "Policy",
  move: "Moves",
  other: "Other",
};
