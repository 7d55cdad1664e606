import { defineMetric, logPiecewise, type Metric } from "@maturity/core";
import { minutes } from "./raw.ts";

/** Knees are the answers of the DORA quick check: an hour, a day, a week, a month, half a year. */
export const mttr: Metric<{ readonly minutes: number }, "mttr"> = defineMetric({
  name: "mttr",
  title: "Time to recover from an incident",
  weight: 25,
  maxAgeHours: 7 * 24,
  inputs: { minutes: { ...minutes, label: "the time to recover" } },
  score: logPiecewise([
    [60, 100],
    [1_440, 80],
    [10_080, 60],
    [43_200, 40],
    [259_200, 0],
  ]),
});
