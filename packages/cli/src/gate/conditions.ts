import type { Flags } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** What a gate asks for. What is absent asks for nothing. */
export interface Conditions {
  /** The lowest score that passes, from 0 to 100. */
  readonly min?: number;
  /** By how many points a score may be below the stored one, from 0. */
  readonly maxDrop?: number;
  /** The lowest score of the application, from 0 to 100. */
  readonly appMin?: number;
}

/** @throws UsageError for a value out of range, or if no flag asks for anything */
export function conditionsOf({ min, worse, maxDrop, appMin }: Flags): Conditions {
  if (worse === false && maxDrop !== undefined) {
    throw new UsageError("--no-worse is --max-drop 0: give one of the two");
  }
  const drop = worse === false ? "0" : maxDrop;
  if (min === undefined && drop === undefined && appMin === undefined) {
    throw new UsageError("give what must hold: --min, --no-worse, --max-drop or --app-min");
  }
  return {
    ...(min !== undefined && { min: numberOf("--min", min) }),
    ...(drop !== undefined && { maxDrop: numberOf("--max-drop", drop) }),
    ...(appMin !== undefined && { appMin: numberOf("--app-min", appMin) }),
  };
}

function numberOf(flag: string, text: unknown): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 100) || text === "") throw new UsageError(`${flag} must be from 0 to 100`);
  return value;
}
