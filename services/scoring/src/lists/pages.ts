import { shareAnswers } from "../store/cache.ts";
import { createQueue } from "../store/queue.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import { type Columns, csvHeader, csvRow } from "./csv.ts";
import type { Position } from "./cursor.ts";

/** The largest number of pages of one list that are read at a time: as many as there are connections to read them. */
const atOnce = 4;

/** The start of a stream, and its text for each item. */
export interface Form<Item> {
  readonly head: string;
  readonly text: (item: Item, asOf: Date) => string;
}

/** The columns by which an item itself says of when it is. */
const times = ["at", "day", "week"];

/** CSV. Its last column is the day of the reading, in UTC, unless the items have one of their own. */
export function csvOf<Item>(columns: Columns<Item>): Form<Item> {
  if (times.some((name) => name in columns)) {
    return { head: csvHeader(columns), text: (item) => csvRow(columns, item) };
  }
  return {
    head: csvHeader(columns, "day"),
    text: (item, asOf) => csvRow(columns, item, asOf.toISOString().slice(0, 10)),
  };
}

export const ndjson: Form<object> = { head: "", text: (item) => `${JSON.stringify(item)}\n` };

/** A stream of all items from a position on. */
interface StreamOf<Item> {
  /** The key of the query and the bounds: streams with the same key share pages. */
  readonly identity: unknown;
  readonly form: Form<Item>;
  readonly read: (after: Position | undefined) => Promise<{
    asOf: Date;
    items: readonly Item[];
    end: Position | undefined;
  }>;
  readonly from: Position | undefined;
}

/**
 * Reads the pages of one list. A page takes some ten milliseconds of this process, and many callers may ask at once.
 */
export interface Pages {
  /** Reads a page in a slot of the queue. @throws ServiceError `overloaded` if the signal is aborted before */
  inSlot<Made>(signal: AbortSignal, make: () => Promise<Made>): Promise<Made>;
  /** The text of each page of a stream. Streams share a page if all of them asked before it was read. */
  texts<Item>(signal: AbortSignal, stream: StreamOf<Item>): AsyncGenerator<string>;
}

interface PageText {
  readonly text: string;
  /** The end of the page if another one follows. */
  readonly end: Position | undefined;
}

interface Question {
  readonly key: string;
  readonly make: () => Promise<PageText>;
}

export function createPages(): Pages {
  const queue = createQueue({ atOnce, waiting: Number.POSITIVE_INFINITY }); // bounded by the reads and streams of the process
  const take = shareAnswers<Question, PageText>(
    ({ questions: [{ make }], signal, begin }) =>
      inSlot(signal, () => {
        begin();
        return make();
      }),
    { keyOf: ({ key }) => key },
  );

  function inSlot<Made>(signal: AbortSignal, make: () => Promise<Made>): Promise<Made> {
    return queue.run(signal, async () => {
      await yieldToEventLoop();
      signal.throwIfAborted();
      return make();
    });
  }

  async function* texts<Item>(
    signal: AbortSignal,
    { identity, form, read, from }: StreamOf<Item>,
  ): AsyncGenerator<string> {
    let [head, position] = [form.head, from];
    for (;;) {
      const make = async () => {
        const { asOf, items, end } = await read(position);
        return { text: head + items.map((item) => form.text(item, asOf)).join(""), end };
      };
      const { text, end } = await take({ key: JSON.stringify([identity, head, position]), make }, signal);
      yield text;
      if (!end) return;
      [head, position] = ["", end];
    }
  }

  return { inSlot, texts };
}
