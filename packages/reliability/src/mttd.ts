import { defineMetric, logPiecewise, type Metric } from "@maturity/core";
import { minutes } from "./raw.ts";

/** Knees are the windows of the burn-rate alerts in the Google SRE Workbook: 5 minutes, 1 hour, 6 hours, 3 days. */
export const mttd: Metric<{ readonly minutes: number }, "mttd"> = defineMetric({
  name: "mttd",
  title: "Time to detect an incident",
  weight: 25,
  maxAgeHours: 7 * 24,
  inputs: { minutes: { ...minutes, label: "the time to detect" } },
  score: logPiecewise([
    [5, 100],
    [60, 75],
    [360, 50],
    [4_320, 0],
  ]),
});
