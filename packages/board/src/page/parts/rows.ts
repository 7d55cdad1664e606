/** What a cell holds, to order and to save: undefined where there is nothing. */
export type Value = string | number | undefined;

const collator = new Intl.Collator("en", { numeric: true });

/** By which column a list is ordered: `score`, or `-score` the other way round. */
export type Order = string;

/** Rows in an order. What has nothing in the column comes last either way, and equals stay as they were. */
export function ordered<Row>(rows: readonly Row[], value: (row: Row) => Value, isDown: boolean): readonly Row[] {
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
    const difference =
      typeof a.key === "number" && typeof b.key === "number"
        ? a.key - b.key
        : collator.compare(String(a.key), String(b.key));
    return isDown ? -difference : difference;
  });
  return keyed.map(({ row }) => row);
}

/** Texts to search in, in one piece: to go through as many apart takes several times as long. */
export interface Searchable {
  readonly text: string;
  /** Where each text ends in it. */
  readonly ends: readonly number[];
}

const lineEnd = "\n";

export function searchable(texts: readonly string[]): Searchable {
  let end = -1;
  const ends = texts.map((text) => {
    end += text.length + 1;
    return end;
  });
  return { text: texts.join(lineEnd), ends };
}

/** Which rows have every word of the query in their text, whatever the case. */
export function matching<Row>(rows: readonly Row[], { text, ends }: Searchable, query: string): readonly Row[] {
  const [first, ...others] = folded(query).split(/\s+/).filter(Boolean);
  if (first === undefined) return rows;
  const found: Row[] = [];
  let index = 0;
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, ends[index - 1])) {
    while (at >= (ends[index] ?? text.length)) index++;
    const own = others.length > 0 ? text.slice((ends[index - 1] ?? -1) + 1, ends[index]) : "";
    const row = rows[index++];
    if (row !== undefined && others.every((word) => own.includes(word))) found.push(row);
  }
  return found;
}

/** A text as it is searched. */
export function folded(text: string): string {
  return text.toLowerCase().normalize();
}

/** Rows beyond what is in sight that stand ready, so that a scroll shows no gap. */
const margin = 6;

/** Rows by their numbers: `from` up to `to`. */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

/** The rows to draw; `top` is the top of the first row, relative to a view of this height. */
export function rowsInSight(count: number, rowHeight: number, top: number, viewHeight: number): Rows {
  const inside = (row: number) => Math.min(Math.max(row, 0), count);
  // In steps, so that most pixels of a scroll change nothing.
  const from = Math.floor(-top / rowHeight / margin - 1) * margin;
  const to = Math.ceil((viewHeight - top) / rowHeight / margin + 1) * margin;
  return { from: inside(from), to: inside(to) };
}
