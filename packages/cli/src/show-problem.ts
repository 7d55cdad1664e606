import type { ProblemRequest, ProblemResponse } from "@maturity/client";
import type { Output } from "./output.ts";
import { own } from "./own.ts";
import { printable } from "./terminal.ts";

/** Prints the state of a problem with its first findings. */
export function showProblem(
  {
    problem_type,
    severity,
    count,
    details = [],
  }: Pick<ProblemRequest, "problem_type" | "severity" | "count" | "details">,
  output: Output,
): void {
  const { colors } = output;
  const name = colors.bold(printable(problem_type));
  if (count === 0) {
    output.line(`${name} ${colors.green("clean: 0 findings")}`);
    return;
  }
  output.line(`${name} ${colors.red(`${count} ${count === 1 ? "finding" : "findings"}`)}, ${printable(severity)}`);
  const shown = details.slice(0, 5);
  for (const { file, line, description } of shown) {
    const place = line === undefined ? file : `${file}:${line}`;
    output.line(`  ${printable([place, description].filter(Boolean).join("  "))}`);
  }
  if (shown.length > 0 && count > shown.length) output.line(`  and ${count - shown.length} more`);
}

/** A sentence about the alert of a stored problem. */
export function alertText({ alert }: Pick<ProblemResponse, "alert">): string {
  return own(alertTexts, alert) ?? "stored";
}

const alertTexts: Readonly<Record<ProblemResponse["alert"], string>> = {
  queued: "stored; an alert is on its way",
  disabled: "stored; the service sends no alerts",
  no_channel: "stored; no alert, since neither --chat-channel nor the service names a channel",
  not_needed: "stored; no alert needed",
  waived: "stored; no alert while it is waived",
};
