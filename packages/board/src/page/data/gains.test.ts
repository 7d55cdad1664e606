import type { App, Scorecard } from "@maturity/client";
import { expect, test } from "vitest";
import { gainsOf } from "./gains.ts";

const step = { field: "high", from: 6, to: 5, score: 40.61, app_gain: 0.9 };
const metric = { scorecard: "security", weight: 1, state: "fresh", score: 40, reasons: [{ text: "6 high findings" }] };
const gain = (app_gain: number, steps: object[] = []) => ({ gain: { app_gain, scorecard_gain: 50, steps } });

test("what gains most comes first, with its next step; what has no gain is left out", () => {
  const metrics = [
    { ...metric, metric: "sast", ...gain(5) },
    { ...metric, metric: "dast", ...gain(9, [step, { ...step, field: "medium", app_gain: 0.1 }]) },
    { ...metric, metric: "secret_scan", score: 100 },
    { ...metric, metric: "image_scan", state: "waived" },
    { scorecard: "reliability", metric: "sla", weight: 1, state: "missing", reported_gain: 0.2 },
  ] as NonNullable<App["metrics"]>;
  const scorecards = [
    { scorecard: "security", metrics: [{ metric: "sast", title: "Source" }] },
  ] as unknown as Scorecard[];
  const found = gainsOf({ metrics }, scorecards);
  expect(found.map(({ metric, title, gain, step }) => [metric, title, gain, step])).toEqual([
    ["dast", "dast", 9, { ...step, inputs: [step] }],
    ["sast", "Source", 5, undefined],
  ]);
  expect(found[0]?.reason).toBe("6 high findings");
  const together = { inputs: [step, { ...step, field: "medium" }], score: 50, app_gain: 4 };
  const joint = {
    ...metric,
    metric: "sast",
    gain: { ...gain(5).gain, together },
  } as unknown as (typeof metrics)[number];
  expect(gainsOf({ metrics: [joint] }, scorecards)[0]?.step).toEqual(together);
});
