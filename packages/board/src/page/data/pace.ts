/** A page asks again this often, in milliseconds. */
export const pace = 60_000;
/** From the start of each minute on, pages ask within this time, in milliseconds: less than a reading of the roll-ups lives. */
export const spread = 10_000;
/** The least pause, in milliseconds: for so long a reading of the roll-ups answers. */
export const leastPause = 15_000;

/**
 * Milliseconds until a page asks again: a moment of the first ten seconds of a minute. So one reading of the roll-ups
 * mostly answers all open pages, and they do not ask all at once.
 *
 * @param now in milliseconds since 1970
 * @param random from 0 to 1
 */
export function untilRefresh(now: number, random: number): number {
  const untilMinute = pace - (now % pace);
  return (untilMinute < leastPause ? untilMinute + pace : untilMinute) + random * spread;
}
