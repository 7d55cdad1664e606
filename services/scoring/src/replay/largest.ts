import type { Fresh } from "../model/rescore.ts";
import type { StoredScore } from "../rollups/stored-scores.ts";

/** How many scores that move are told one by one. */
const kept = 20;

interface Moved {
  readonly stored: StoredScore;
  readonly fresh: Fresh;
}

/** Keeps the scores that move furthest. Of those that move as far, it keeps the first by their names. */
export function createLargest() {
  const found: Moved[] = [];
  return {
    take(stored: StoredScore, fresh: Fresh): void {
      const last = found[kept - 1];
      const one = { stored, fresh };
      if (last && compare(one, last) >= 0) return;
      const place = found.findIndex((other) => compare(one, other) < 0);
      found.splice(place < 0 ? found.length : place, 0, one);
      found.length = Math.min(found.length, kept);
    },
    /** Those that move furthest first. */
    scores: (): readonly Moved[] => found,
  };
}

function compare(one: Moved, other: Moved): number {
  return distanceOf(other) - distanceOf(one) || (namesOf(one) < namesOf(other) ? -1 : 1);
}

function distanceOf({ stored, fresh }: Moved): number {
  return Math.abs(fresh.score - stored.score);
}

function namesOf({ stored: { area, team, app, env, scorecard, metric } }: Moved): string {
  return [area, team, app, env, scorecard, metric].join("\t");
}
