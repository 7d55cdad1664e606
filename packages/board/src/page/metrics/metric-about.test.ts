import { expect, test } from "vitest";
import { aboutInput } from "./metric-about.tsx";

const nothing = { unit: null, min: null, max: null, better: null };

test.each([
  ["nothing is said of it", { field: "high", label: "high", ...nothing }, ""],
  [
    "all of it",
    {
      field: "minutes",
      label: "the time to recover",
      unit: "minutes",
      min: 0,
      max: 5_256_000,
      better: "lower" as const,
    },
    ": the time to recover, in minutes, from 0 to 5,256,000, lower is better",
  ],
  ["one end alone", { field: "count", label: "count", ...nothing, min: 0 }, ": from 0"],
  [
    "the end only keeps nonsense out",
    { field: "high", label: "high", ...nothing, min: 0, max: 1_000_000_000, better: "lower" as const },
    ": from 0, lower is better",
  ],
])("an input of which %s", (_, input, text) => expect(aboutInput(input)).toBe(text));
