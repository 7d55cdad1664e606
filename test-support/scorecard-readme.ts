import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Scorecard } from "../packages/core/src/index.ts";

/**
 * Holds the README of a scorecard package to its code: the example runs and prints what is shown, and the table of metrics
 * shows names, weights, inputs, curves and ages.
 *
 * @param directory of the package's tests
 */
export function testReadme(scorecard: Scorecard, directory: string): void {
  const readme = readFileSync(new URL("../README.md", directory), "utf8");

  test("the example runs as shown", async () => {
    const url = new URL("../examples/score.ts", directory);
    expect(readdirSync(new URL(".", url))).toEqual(["score.ts"]);
    expect(blocks("ts")).toEqual([await readFile(url, "utf8")]);
    const run = await promisify(execFile)(process.execPath, ["--conditions=@maturity/source", fileURLToPath(url)]);
    expect(blocks("text")).toEqual([run.stdout]);

    function blocks(language: string): string[] {
      return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
    }
  });

  describe("the table of metrics", () => {
    const rows = readme
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split("|").map((cell) => cell.trim()));

    test("names the scorecard's weight and dimension", () => {
      expect(readme).toContain(
        `Weight ${scorecard.weight} in the maturity score, dimension \`${scorecard.dimension}\``,
      );
    });

    test("has every metric with its weight, in order", () => {
      expect(rows.map(([, name, weight]) => [name, Number(weight)])).toEqual(
        scorecard.metrics.map(({ name, weight }) => [`\`${name}\``, weight]),
      );
    });

    test.each(scorecard.metrics.map((metric, index) => ({ ...metric, index })))(
      "shows the inputs of $name",
      (metric) => {
        for (const field of Object.keys(metric.inputs ?? {})) expect(rows[metric.index]?.[3]).toContain(`\`${field}\``);
      },
    );

    test("shows for how long every metric is fresh", () => {
      expect(rows.map((row) => row[5])).toEqual(
        scorecard.metrics.map(({ maxAgeHours = Number.NaN }) => `${maxAgeHours / 24} days`),
      );
    });

    test.each(scorecard.metrics.map((metric, index) => ({ ...metric, index })))(
      "shows the curve of $name",
      (metric) => {
        const { inputs = {} } = metric;
        const best = Object.entries(inputs).map(([field, input]) => [field, input?.better === "lower" ? 0 : 100]);
        const curves = [...(rows[metric.index]?.[4] ?? "").matchAll(/`(\w+)`([^;]*)/g)];
        expect(curves.map(([, field]) => field)).toEqual(Object.keys(inputs));
        for (const [, field = "", points = ""] of curves) {
          const pairs = [...points.matchAll(/(true|false|\d[\d,.]*) → (\d+)/g)];
          expect(pairs).not.toHaveLength(0);
          for (const [, input = "", score] of pairs) {
            const raw = { ...Object.fromEntries(best), [field]: JSON.parse(input.replaceAll(",", "")) };
            // The table may show a point between the inputs that are valid, such as half a finding.
            expect(metric.score(raw as never).score, `${field} ${input}`).toBe(Number(score));
          }
        }
      },
    );
  });
}
