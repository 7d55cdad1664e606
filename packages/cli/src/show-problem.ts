import type { ProblemRequest, ProblemResponse } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { own } from "@maturity/command-line/own";
import { printable } from "@maturity/command-line/terminal";

type Shown = Pick<ProblemRequest, "problem_type" | "severity" | "count" | "details">;

/** Prints the state of a problem with its first findings. */
export function showProblem(problem: Shown, output: Output): void {
  const { colors } = output;
  const { problem_type, severity, count } = problem;
  const name = colors.bold(printable(problem_type));
  const state =
    count === 0 ? colors.green(countText(count)) : `${colors.red(countText(count))}, ${printable(severity)}`;
  output.line(`${name} ${state}`);
  for (const line of findingLines(problem)) output.line(`  ${printable(line)}`);
}

/** The same in lines of a summary. */
export function problemLines(problem: Shown): string[] {
  const { problem_type, severity, count } = problem;
  return [`${problem_type} ${countText(count)}${count === 0 ? "" : `, ${severity}`}`, ...findingLines(problem)];
}

function countText(count: number): string {
  return count === 0 ? "clean: 0 findings" : `${count} ${count === 1 ? "finding" : "findings"}`;
}

function findingLines({ count, details = [] }: Shown): string[] {
  const shown = count === 0 ? [] : details.slice(0, 5);
  const lines = shown.map(({ file, line, description }) =>
    [line === undefined ? file : `${file}:${line}`, description].filter(Boolean).join("  "),
  );
  return shown.length > 0 && count > shown.length ? [...lines, `and ${count - shown.length} more`] : lines;
}

/** A sentence about the alert of a stored problem. */
export function alertText({ alert, stored }: Pick<ProblemResponse, "alert" | "stored">): string {
  if (stored === "history") return "a later scan is stored, so this one changes nothing";
  return own(alertTexts, alert) ?? "stored";
}

const alertTexts: Readonly<Record<ProblemResponse["alert"], string>> = {
  queued: "stored; an alert is on its way",
  disabled: "stored; the service sends no alerts",
  no_channel: "stored; no alert, since neither --chat-channel nor the service names a channel",
  not_needed: "stored; no alert needed",
  waived: "stored; no alert while it is waived",
  held: "stored; no alert until the application is registered",
};
