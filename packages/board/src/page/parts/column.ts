import type { ComponentChildren } from "preact";
import type { Value } from "./rows.ts";

/** A column of a list. The first of a list names its rows. */
export interface Column<Row> {
  /** In the address and in CSV. */
  readonly id: string;
  readonly head: string;
  /** What the head means, where a word does not say it. */
  readonly title?: string;
  readonly kind:
    | "name"
    | "text"
    | "long"
    | "word"
    | "heat"
    | "cell"
    | "number"
    | "change"
    | "shares"
    | "time"
    | "levels";
  /** The group of columns that it begins. */
  readonly group?: { readonly name: string; readonly columns: number };
  /** In pixels, where its kind does not say it. */
  readonly width?: number;
  /** It matters less: on a narrow screen it stands after the others, where the list moves sideways. */
  readonly isMinor?: boolean;
  /** The largest first, when it is chosen. */
  readonly isDown?: boolean;
  /** In CSV, and what is filtered by. */
  value(row: Row): Value;
  /** By which the list is ordered, if not by its value, as of a time by its age. */
  rank?(row: Row): Value;
  /** How it looks; as its value without it. */
  show?(row: Row): ComponentChildren;
  href?(row: Row): string;
}

/** Whether a list is filtered by a column: by names and words, not by numbers. */
export function isNamed({ kind }: Column<never>): boolean {
  return kind === "name" || kind === "text" || kind === "long" || kind === "word";
}
