import { defineMetric, logPiecewise, type Metric, minutesAsTime } from "@maturity/core";
import { rawObject } from "@maturity/core/joi";
import { minutes } from "./raw.ts";

/** Knees are the windows of the burn-rate alerts in the Google SRE Workbook: 5 minutes, 1 hour, 6 hours, 3 days. */
export const mttd: Metric<{ readonly minutes: number }, "mttd"> = defineMetric({
  name: "mttd",
  title: "Time to detect an incident",
  weight: 25,
  maxAgeHours: 7 * 24,
  raw: rawObject<{ readonly minutes: number }>({ minutes }),
  score: logPiecewise(
    "minutes",
    [
      [5, 100],
      [60, 75],
      [360, 50],
      [4_320, 0],
    ],
    { label: "the time to detect", unit: minutesAsTime },
  ),
  better: { minutes: "lower" },
});
