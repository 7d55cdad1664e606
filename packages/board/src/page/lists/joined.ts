import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Reading } from "../data/reading.ts";

/** Two readings as one list: the items of the second follow those of the first. */
export function useJoined<Item>(
  first: Reading<Item> | undefined,
  second: Reading<Item> | undefined,
): Reading<Item> | undefined {
  return useMemo(() => first && second && joined(first, second), [first, second]);
}

function joined<Item>(first: Reading<Item>, second: Reading<Item>): Reading<Item> {
  return {
    answer: computed(() => {
      const [one, other] = [first.answer.value, second.answer.value];
      return (
        one &&
        other && {
          items: [...one.items, ...other.items],
          total: one.total + other.total,
          isGrowing: one.isGrowing || other.isGrowing,
        }
      );
    }),
    failure: computed(() => first.failure.value ?? second.failure.value),
    holdsAt: computed(() => {
      const [one, other] = [first.holdsAt.value, second.holdsAt.value];
      return one === undefined || other === undefined ? undefined : Math.min(one, other);
    }),
    async refresh() {
      await Promise.all([first.refresh(), second.refresh()]);
    },
    reach(upTo) {
      first.reach(upTo);
      second.reach(upTo);
    },
  };
}
