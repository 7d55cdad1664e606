import type { Held, Reading, ReadOptions } from "@maturity/reports";
import { isFlagged, kindFlags } from "./ways-out.ts";

/** Findings of a report that belong to another metric or problem than the one it was read for. */
export interface Unsent extends Pick<Held, "what"> {
  readonly file: string;
  /** The flag with which a command uses these findings instead. */
  readonly flag: string;
}

/** @param use what the report was read for: a score or a problem */
export function unsentOf({ held, metric, kind }: Reading, file: string, use: ReadOptions["for"]): Unsent[] {
  return held.flatMap((one) => {
    if (use !== "problem") {
      return one.metric && one.metric !== metric ? [{ what: one.what, file, flag: `--metric ${one.metric}` }] : [];
    }
    const isOther = kind !== "findings" && one.kind !== kind;
    return isOther && isFlagged(one.kind) ? [{ what: one.what, file, flag: kindFlags[one.kind] }] : [];
  });
}
