export interface TallyOptions {
  /** Between two lines of one name, in milliseconds. */
  readonly everyMs: number;
  /** Names that are told apart at a time; further ones are `others` together. */
  readonly maxNames: number;
}

const others = "others";

/**
 * Keeps what happens often from filling the log: the first of a name is told at once, and then, while it goes on, once in a
 * period how many more there were. Lines and memory are bounded, however many names there are.
 *
 * @param tell writes a line: the name or `others`, how often since the last line, and what was noted last
 * @returns what notes that it happened
 */
export function createTally<Note>(
  { everyMs, maxNames }: TallyOptions,
  tell: (name: string, count: number, last: Note) => void,
): (name: string, note: Note) => void {
  const counts = new Map<string, { count: number; last: Note }>();

  function tellAgainLater(name: string): void {
    setTimeout(() => {
      const since = counts.get(name);
      if (!since || since.count === 0) {
        counts.delete(name);
        return;
      }
      tell(name, since.count, since.last);
      since.count = 0;
      tellAgainLater(name);
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
    tell(own, 1, note);
    tellAgainLater(own);
  };
}
