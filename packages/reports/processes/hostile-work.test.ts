import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { shapes } from "../bench/hostile-shapes.ts";

const program = fileURLToPath(new URL("../test/support/hostile-work.ts", import.meta.url));
const [small, large] = [50_000, 200_000];
const options = ["--conditions=@maturity/source", program, String(small), String(large)];
const { stdout } = await promisify(execFile)(process.execPath, options);
const steps: Readonly<Record<string, readonly [number, number]>> = JSON.parse(stdout);

/**
 * Steps for a report of four times the size, of those for the smaller one. Work that grows with the size takes 4, work that grows
 * with its square 16.
 */
const mostGrowth = 6;
/** Steps for each character. What is bounded takes some hundred, as the findings do that a problem has room for. */
const mostSteps = 500;

test("all shapes were read", () => {
  expect(Object.keys(steps)).toEqual(Object.keys(shapes));
});

describe.each(Object.entries(steps))("%s", (_name, [ofSmall, ofLarge]) => {
  test("takes work by its size alone", () => {
    expect(ofLarge / ofSmall).toBeLessThan(mostGrowth);
  });

  test("takes little of it for each character", () => {
    expect(ofSmall / small).toBeGreaterThan(1);
    expect(ofLarge / large).toBeLessThan(mostSteps);
  });
});
