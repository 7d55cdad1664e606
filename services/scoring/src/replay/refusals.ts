import type { Target } from "@maturity/core";
import type { ScoreKey } from "../store/new-score.ts";
import type { MetricName } from "../store/targets.ts";
import { copyOf } from "../store/text-rows.ts";

/** Results of one metric that are refused with one message. */
export interface Refused extends MetricName {
  readonly message: string;
  readonly count: number;
  /** The targets of the first hundred. */
  readonly keys: readonly Target[];
}

const maxKeys = 100;

/** The largest number of groups. A message may name a field of its result, so messages are unlimited. */
const maxMessages = 1_000;

const furtherMessages = "refused with further messages";

interface Group extends Refused {
  count: number;
  readonly keys: Target[];
}

/** Groups results that are refused by metric and message. */
export function createRefusals() {
  const groups = new Map<string, Group>();
  return {
    take({ area, team, app, env, scorecard, metric }: ScoreKey, refusal: string): void {
      const idOf = (message: string) => JSON.stringify([scorecard, metric, message]);
      const message = groups.has(idOf(refusal)) || groups.size < maxMessages ? refusal : furtherMessages;
      const id = idOf(message);
      const group = groups.get(id) ?? {
        scorecard: copyOf(scorecard),
        metric: copyOf(metric),
        message,
        count: 0,
        keys: [],
      };
      groups.set(id, group);
      group.count++;
      if (group.keys.length === maxKeys) return;
      group.keys.push({ area: copyOf(area), team: copyOf(team), app: copyOf(app), env: copyOf(env) });
    },
    /** The largest group first. */
    all: (): readonly Refused[] => [...groups.values()].sort((a, b) => b.count - a.count),
  };
}
