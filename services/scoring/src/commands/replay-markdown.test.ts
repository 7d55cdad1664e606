import { expect, test } from "vitest";
import type { Replay } from "../replay/replay.ts";
import { replayMarkdown } from "./replay-markdown.ts";

const hostile = "|`<img src=x onerror=alert(1)>`\n# @everyone [a](http://b) </details> _b_ ☃ \u{202e}";
const target = { area: hostile, team: hostile, app: hostile, env: "prod" };

function replayOf(count: number): Replay {
  const rows = Array.from({ length: count }, (_, index) => index);
  return {
    as_of: new Date(0),
    compared_by: "now",
    in_force_since: null,
    scorers: ["@acme/cost@1.0.0"],
    settings: rows.map((index) => ({ setting: `levels.${hostile}${index}.rank`, from: null, to: index })),
    applications: count,
    changed: rows.map(() => ({
      ...target,
      score: { from: 80, to: 61 },
      level: { from: hostile, to: null },
      ...{ unmet: hostile, rise: -1 },
    })),
    scores: {
      ...{ scores: count, moved: count, up: 0, down: count, mean_change: -1, largest_fall: -20, largest_rise: 0 },
      ...{ other_scorer: 0, refused: count, not_installed: 0 },
      metrics: [],
      largest: rows.slice(0, 20).map(() => ({
        ...{ ...target, scorecard: "cost", metric: "budget", change: -19 },
        from: { score: 80, scorer: "@acme/cost@0.9.0", reasons: null },
        to: { score: 61, scorer: "@acme/cost@1.0.0", reasons: [{ field: "a", value: 1, text: hostile.repeat(50) }] },
      })),
      refusals: rows.map(() => ({ scorecard: "cost", metric: "budget", message: hostile, count: 1, keys: [target] })),
    },
  };
}

test("its first lines say how much changes, and the rest is folded", () => {
  const text = replayMarkdown(replayOf(1));
  expect(text.split("<details>")[0]).toBe(
    "### Replay: 1 of 1 scores move\n\n" +
      "Scored again by <code>&#64;acme/cost&#64;1.0.0</code>.\n\n" +
      "Refused now, so the stored score stays: 1. " +
      "Of 1 applications 1 get another score; 0 rise to a higher level, 1 fall to a lower one. " +
      `${text.match(/one\. (.*) falls furthest/)?.[1]} falls furthest, by 19.00 points.\n\n`,
  );
  expect(text.match(/<details><summary>.*<\/summary>/g)).toEqual([
    "<details><summary>Settings that differ (1)</summary>",
    "<details><summary>Applications that change (1)</summary>",
    "<details><summary>Scores that move furthest (1)</summary>",
    "<details><summary>Why results are refused (1)</summary>",
  ]);
  expect(text.match(/<\/details>/g)).toHaveLength(4);
});

test("what reports say stays text, in a cell of its own", () => {
  const text = replayMarkdown(replayOf(3));
  for (const part of ["<img", "@", "[a]", "`<", "http:", "_b_", "\u{202e}"]) expect(text).not.toContain(part);
  for (const line of text.split("\n").filter((line) => line.startsWith("| "))) {
    expect([4, 5]).toContain(line.split("|").length - 1);
  }
});

test("however much changes, it fits into a comment, with rows of every part", () => {
  const text = replayMarkdown(replayOf(5_000));
  expect(text.length).toBeLessThan(65_536);
  const parts = text.split("<details>").slice(1);
  for (const part of parts) expect(part.split("\n").filter((line) => line.startsWith("| ")).length).toBeGreaterThan(2);
  expect(text.match(/and \d+ more; `--format json`/g)?.length).toBe(4);
});
