import type { App } from "@maturity/client";
import { duration } from "@maturity/command-line/duration";
import type { Output } from "@maturity/command-line/output";
import { scoreText } from "@maturity/command-line/score-text";
import { printable } from "@maturity/command-line/terminal";
import { severities } from "@maturity/core/wire";

/** How long before a time another one was, in whole units, such as `3 days`. Both are in ISO 8601. */
export function age(time: string, now: string): string {
  return duration(Date.parse(now) - Date.parse(time));
}

/** The name of a level; `none` without one, and nothing where there are no levels. */
export function levelText(level: App["level"]): string {
  return level === null ? "" : (level.name ?? "none");
}

/** The colour of a score. */
export function scorePaint(score: number | null, { colors }: Pick<Output, "colors">): (text: string) => string {
  if (score === null) return String;
  return score >= 80 ? colors.green : score >= 50 ? colors.yellow : colors.red;
}

/** A score as a bar of ten blocks. All are full only at 100. */
export function scoreBar(score: number | null): string {
  const full = Math.floor((score ?? 0) / 10);
  return "█".repeat(full) + "░".repeat(10 - full);
}

/** A bar in the colour of its score, with a blank behind it; empty where there is no terminal. */
export function barBefore(score: number | null, output: Pick<Output, "colors" | "width">): string {
  return output.width === undefined ? "" : `${scorePaint(score, output)(scoreBar(score))} `;
}

/** The first line about an application, a team or an area: its names, its score and how that changed. */
export function headingOf(
  names: readonly string[],
  { score, change }: Pick<App, "score" | "change">,
  output: Output,
): string {
  const { bold } = output.colors;
  const since =
    change === undefined ? "" : `  ${differencePaint(change, output)(differenceText(change))} since 30 days ago`;
  const shown = bold(scorePaint(score, output)(scoreText(score)));
  return `${bold(printable(names.join(" / ")))}  ${barBefore(score, output)}${shown}${since}`;
}

/** Open problems: the number of the gravest, and of all others. */
export function problemsText(problems: App["problems"]): string {
  const [gravest, ...others] = severities.filter((severity) => problems[severity] > 0);
  if (!gravest) return "-";
  const rest = others.reduce((sum, severity) => sum + problems[severity], 0);
  return `${problems[gravest]} ${gravest}${rest > 0 ? `, ${rest} more` : ""}`;
}

/** A difference of scores, with its sign. */
export function differenceText(difference: number): string {
  const text = difference.toFixed(1).replace(/^-(?=0\.0$)/, "");
  return difference > 0 && text !== "0.0" ? `+${text}` : text;
}

/** The colour of a difference of scores. */
export function differencePaint(difference: number, { colors }: Pick<Output, "colors">): (text: string) => string {
  return difference <= -0.05 ? colors.red : difference >= 0.05 ? colors.green : String;
}

/**
 * The day in UTC that a flag means: `30d` is 30 days before today. Anything else is left as it is, for the service to judge.
 *
 * @param now milliseconds since 1970
 */
export function dayOf(flag: unknown, now: number): string {
  const [, days] = /^(\d{1,4})d$/.exec(String(flag)) ?? [];
  if (days === undefined) return String(flag);
  return new Date(now - Number(days) * 86_400_000).toISOString().slice(0, 10);
}

/** What a decision is about: its names from the area on, with `*` for one that is left out before another. */
export function scopeText(names: {
  readonly area: string;
  readonly team?: string | null;
  readonly app?: string | null;
  readonly env?: string | null;
}): string {
  const given = [names.area, names.team, names.app, names.env].map((name) => name ?? null);
  const last = given.findLastIndex((name) => name !== null);
  return given
    .slice(0, last + 1)
    .map((name) => name ?? "*")
    .join(" / ");
}

/** That a name is a former one. */
export function renamedText(former: Parameters<typeof scopeText>[0], now: Parameters<typeof scopeText>[0]): string {
  return `${scopeText(former)} is called ${scopeText(now)} now`;
}
