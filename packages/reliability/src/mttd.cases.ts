import { type MetricCases, notANumber, refused } from "@maturity/core/testing";

export const mttdCases: MetricCases = {
  "at once": { raw: { minutes: 0 }, score: 100, reasons: ["minutes"] },
  "half a minute": { raw: { minutes: 0.5 }, score: 100 },
  "just below five minutes": { raw: { minutes: 4.9 }, score: 100 },
  "five minutes": { raw: { minutes: 5 }, score: 100 },
  "just above five minutes": { raw: { minutes: 5.1 }, score: 99.8 },
  "a typical quarter of an hour": { raw: { minutes: 15 }, score: 88.95 },
  "half an hour": { raw: { minutes: 30 }, score: 81.97 },
  "just below an hour": { raw: { minutes: 59 }, score: 75.17 },
  "an hour": { raw: { minutes: 60 }, score: 75 },
  "just above an hour": { raw: { minutes: 61 }, score: 74.77 },
  "two hours": { raw: { minutes: 120 }, score: 65.33 },
  "just below six hours": { raw: { minutes: 350 }, score: 50.39 },
  "six hours": { raw: { minutes: 360 }, score: 50 },
  "just above six hours": { raw: { minutes: 370 }, score: 49.45 },
  "a day": { raw: { minutes: 1_440 }, score: 22.11 },
  "just below three days": { raw: { minutes: 4_300 }, score: 0.09 },
  "three days": { raw: { minutes: 4_320 }, score: 0 },
  "just above three days": { raw: { minutes: 4_400 }, score: 0 },
  "ten years": { raw: { minutes: 5_256_000 }, score: 0 },
  ...refused({ minutes: 5 }, "minutes", { ...notANumber, "above ten years": 5_256_000.5 }),
};
