import { expect, test } from "vitest";
import { imageScan } from "./image-scan.ts";
import { sast } from "./sast.ts";

test("the reasons say what each severity costs", () => {
  expect(sast.score({ critical: 2, high: 1, medium: 5 }).reasons).toEqual([
    { field: "critical", value: 2, text: "2 critical findings: × 0.25; each one halves the score" },
    { field: "high", value: 1, text: "1 high finding: × 0.84; every 4 halve the score" },
    { field: "medium", value: 5, text: "5 medium findings: × 0.84; every 20 halve the score" },
  ]);
});

test.each([
  { critical: 0, high: 1, medium: 0 },
  { critical: 0, high: 0, medium: 1 },
])("a finding costs more in the source than in an image: $high high, $medium medium", (raw) => {
  expect(sast.score(raw).score).toBeLessThan(imageScan.score(raw).score);
});
