export interface EventCounterOptions {
  /** Pause between two log lines of one name, in milliseconds. */
  readonly everyMs: number;
  /** The largest number of names with lines of their key. All further names share the line `others`. */
  readonly maxNames: number;
}

const others = "others";

/**
 * Counts events by name and logs summaries. The first event of a name is logged at once, then the number of further
 * ones once in each period. Lines and memory are limited, however many names there are.
 *
 * @param log writes a line: the name or `others`, the number of events since the last line, and the note of the last
 * event
 * @returns a function that counts an event
 */
export function createEventCounter<Note>(
  { everyMs, maxNames }: EventCounterOptions,
  log: (name: string, count: number, last: Note) => void,
): (name: string, note: Note) => void {
  const counts = new Map<string, { count: number; last: Note }>();

  function logLater(name: string): void {
    setTimeout(() => {
      const since = counts.get(name);
      if (!since || since.count === 0) {
        counts.delete(name);
        return;
      }
      log(name, since.count, since.last);
      since.count = 0;
      logLater(name);
    }, everyMs).unref();
  }

  return (name, note) => {
    const key = counts.has(name) || counts.size < maxNames ? name : others;
    const since = counts.get(key);
    if (since) {
      since.count++;
      since.last = note;
      return;
    }
    counts.set(key, { count: 0, last: note });
    log(key, 1, note);
    logLater(key);
  };
}
