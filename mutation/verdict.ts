import { matchesGlob } from "node:path";
import type { Bar, Equivalent, Part } from "./parts.ts";

/** A mutant that met the tests. */
export interface Met {
  readonly file: string;
  readonly line: number;
  /** The code that was mutated, and what it became, each with single blanks. */
  readonly code: string;
  readonly becomes: string;
  readonly isKilled: boolean;
}

/** What a run has shown: sentences for a terminal, and whether each bar was met. */
export interface Verdict {
  readonly lines: readonly string[];
  readonly isMet: boolean;
}

/**
 * Holds mutants to the bars. Those that are named as equivalent count for nothing; one that is named although it was
 * killed, or is not there, fails as a missed bar does. A bar of none of the files that were mutated is left out.
 */
export function judge(mutants: readonly Met[], bars: readonly Bar[], equivalents: readonly Equivalent[]): Verdict {
  const files = new Set(mutants.map(({ file }) => file));
  const isNamed = (one: Met) => equivalents.some((named) => isSame(one, named));
  const survivors = mutants.filter((one) => !one.isKilled && !isNamed(one));
  const counting = mutants.filter((one) => one.isKilled || !isNamed(one));
  const inVain = equivalents.filter(
    (named) => files.has(named.file) && !mutants.some((one) => !one.isKilled && isSame(one, named)),
  );
  const measured = bars.flatMap(({ least, files }) => {
    const own = files ? counting.filter(({ file }) => files.some((glob) => matchesGlob(file, glob))) : counting;
    if (own.length === 0) return [];
    const killed = own.filter(({ isKilled }) => isKilled).length;
    const share = (100 * killed) / own.length;
    const name = files?.join(", ") ?? "all";
    return [
      { line: `${name}: ${share.toFixed(1)} % of ${own.length} killed, at least ${least} %`, isMet: share >= least },
    ];
  });
  return {
    lines: [
      ...survivors.map(({ file, line, code, becomes }) => `${file}:${line} survived: ${code} → ${becomes}`),
      ...inVain.map(({ file, code, becomes }) => `${file}: named as equivalent, but no survivor: ${code} → ${becomes}`),
      ...measured.map(({ line, isMet }) => `${isMet ? "met" : "MISSED"}: ${line}`),
    ],
    isMet: measured.length > 0 && measured.every(({ isMet }) => isMet) && inVain.length === 0,
  };
}

function isSame(one: Met, named: Equivalent): boolean {
  return one.file === named.file && one.code === named.code && one.becomes === named.becomes;
}

/** The bars of some parts that others have no more, or lower, one sentence each. */
export function lowered(before: Readonly<Record<string, Part>>, now: Readonly<Record<string, Part>>): string[] {
  return Object.entries(before).flatMap(([name, { bars }]) =>
    bars.flatMap(({ least, files }) => {
      const same = now[name]?.bars.find((bar) => String(bar.files) === String(files));
      if (same && same.least >= least) return [];
      const is = same ? `asks for ${same.least} %` : "has no bar";
      return [`${name}, ${files?.join(", ") ?? "all"}: ${is}, where main asks for ${least} %`];
    }),
  );
}
