import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repository } from "./support/markdown.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");
const dashboards = globSync("services/scoring/deploy/grafana/dashboards/*.json", { cwd: repository });

interface Step {
  readonly color: string;
  readonly value: number | null;
}

/** The steps of thresholds anywhere in a dashboard. */
function stepsIn(value: unknown): Step[][] {
  if (typeof value !== "object" || value === null) return [];
  const own = "steps" in value ? [value.steps as Step[]] : [];
  return [...own, ...Object.values(value).flatMap(stepsIn)];
}

test("the scores of the dashboards have the colours of the Board in the dark", () => {
  const [, dark = ""] = read("packages/board/src/page/style/tokens.css").split("prefers-color-scheme: dark");
  const colours = [...dark.matchAll(/--s[0-4]: (#[0-9a-f]{6})/g)].map(([, colour]) => colour);
  expect(colours).toHaveLength(5);
  const expected = colours.map((color, place) => ({ color, value: place === 0 ? null : place * 20 }));
  const ofScores = dashboards.flatMap((path) => stepsIn(JSON.parse(read(path)))).filter((steps) => steps.length > 2);
  expect(ofScores).toHaveLength(9);
  for (const steps of ofScores) expect(steps).toEqual(expected);
});

test("no score is written in its own colour, in which the best would not be seen", () => {
  for (const path of dashboards) {
    const written = read(path).match(/"options": "(?:Score|Reported)[^}]*\}[^\]]*color-text/g);
    expect(written, path).toBeNull();
  }
});
