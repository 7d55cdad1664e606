import { defineMetric, logPiecewise, type Metric, minutesAsTime } from "@maturity/core";
import { rawObject } from "@maturity/core/joi";
import { minutes } from "./raw.ts";

/** Knees are the answers of the DORA quick check: an hour, a day, a week, a month, half a year. */
export const mttr: Metric<{ readonly minutes: number }, "mttr"> = defineMetric({
  name: "mttr",
  title: "Time to recover from an incident",
  weight: 25,
  maxAgeHours: 7 * 24,
  raw: rawObject<{ readonly minutes: number }>({ minutes }),
  score: logPiecewise(
    "minutes",
    [
      [60, 100],
      [1_440, 80],
      [10_080, 60],
      [43_200, 40],
      [259_200, 0],
    ],
    { label: "the time to recover", unit: minutesAsTime },
  ),
  better: { minutes: "lower" },
});
