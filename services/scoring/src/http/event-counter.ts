export interface EventCounterOptions {
  /** Pause between two lines about one name, in milliseconds. */
  readonly everyMs: number;
  /** Number of names with lines of their own. All further names share the line `others`. */
  readonly maxNames: number;
}

const others = "others";

/**
 * Keeps frequent events from filling the log. The first event of a name is logged at once; while there are more, their
 * number is logged once in each period. Lines and memory are bounded, however many names there are.
 *
 * @param write writes a line: the name or `others`, the number of events since the last line, and the note of the last
 * event
 * @returns a function that reports an event
 */
export function createEventCounter<Note>(
  { everyMs, maxNames }: EventCounterOptions,
  write: (name: string, count: number, last: Note) => void,
): (name: string, note: Note) => void {
  const counts = new Map<string, { count: number; last: Note }>();

  function writeAgainLater(name: string): void {
    setTimeout(() => {
      const since = counts.get(name);
      if (!since || since.count === 0) {
        counts.delete(name);
        return;
      }
      write(name, since.count, since.last);
      since.count = 0;
      writeAgainLater(name);
    }, everyMs).unref();
  }

  return (name, note) => {
    const own = counts.has(name) || counts.size < maxNames ? name : others;
    const since = counts.get(own);
    if (since) {
      since.count++;
      since.last = note;
      return;
    }
    counts.set(own, { count: 0, last: note });
    write(own, 1, note);
    writeAgainLater(own);
  };
}
