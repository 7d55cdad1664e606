import fc from "fast-check";
import { expect, test } from "vitest";
import { leastPause, pace, spread, untilRefresh } from "./pace.ts";

const time = fc.integer({ min: 0, max: 4e12 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("pages ask in the first seconds of a minute, the next one unless it is near", () => {
  fc.assert(
    fc.property(time, random, (now, random) => {
      const rest = untilRefresh(now, random);
      expect((now + rest) % pace).toBeLessThanOrEqual(spread);
      expect(rest).toBeGreaterThanOrEqual(leastPause);
      expect(rest).toBeLessThan(leastPause + pace + spread);
    }),
  );
});
