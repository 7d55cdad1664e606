import type { Registered } from "@maturity/client";
import type { Output } from "@maturity/command-line/output";
import { printable } from "@maturity/command-line/terminal";
import { scopeText } from "../asking/words.ts";

/** Prints whose scores, levels and exemptions new tiers and labels change; nothing if there is none. */
export function showEffect({ rescored, lose_level, exempted, apps }: Registered["effect"], output: Output): void {
  if (apps.length === 0) return;
  output.line(
    output.colors.bold(
      `By the rules of the policy ${rescored} get another score, ${lose_level} lose a level, ${exempted} begin or cease to be exempt`,
    ),
  );
  // The service lists the first hundred.
  for (const { env, score, level, begins = [], ends = [], ...app } of apps) {
    const facts = [
      ...(score ? [`${numberText(score.from)} -> ${numberText(score.to)}`] : []),
      ...(level && level.from !== level.to ? [`${level.from ?? "no level"} -> ${level.to ?? "no level"}`] : []),
      ...(begins.length > 0 ? [`exempt from ${begins.join(", ")}`] : []),
      ...(ends.length > 0 ? [`no longer exempt from ${ends.join(", ")}`] : []),
    ];
    output.line(`  ${printable(scopeText({ ...app, env }))}: ${printable(facts.join("; "))}`);
  }
}

function numberText(score: number | null): string {
  return score === null ? "none" : score.toFixed(2);
}
