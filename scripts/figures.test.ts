import { expect, test } from "vitest";
import { tablesIn } from "../bench/figures.ts";
import { faultsOfPages, figuresByHand, withFigures } from "../bench/pages.ts";

const figures = {
  start: { command: "pnpm bench start", tables: [{ columns: ["what", "time"], rows: [["help", "53 ms"]] }] },
};

test("the pages show the figures of bench/figures.json, and no others", () => {
  expect(faultsOfPages()).toEqual([]);
});

test("a page gets its figures between the marks, whatever stands there", () => {
  const page = "a\n\n<!-- figures start -->\n| what | 54 ms |\n<!-- end of figures -->\n\nb\n";
  const shown =
    "<!-- figures start -->\n\n`pnpm bench start`:\n\n| what | time |\n|---|---|\n| help | 53 ms |\n\n<!-- end of figures -->";
  expect(withFigures(page, figures)).toBe(`a\n\n${shown}\n\nb\n`);
  expect(withFigures(withFigures(page, figures), figures)).toBe(withFigures(page, figures));
});

test("figures that nobody measured are refused by name", () => {
  expect(() => withFigures("<!-- figures stop -->\n<!-- end of figures -->", figures)).toThrow(
    "there are no figures stop",
  );
});

test.each(["| writes | 3,000 /s |", "| memory | 384 MB |", "| p95 | 12 ms |"])("by hand: %s", (row) => {
  expect(figuresByHand(`# A\n\n| a | b |\n|---|---|\n${row}\n`)).toEqual([row]);
});

test.each(["A dump takes 16 MB.", "Prometheus needs 1.5 GB", "It stores 3,000 /s."])(
  "by hand, in a sentence: %s",
  (line) => {
    expect(figuresByHand(`# A\n\n${line}\n\n\`\`\`text\n7 MB\n\`\`\`\n`)).toEqual([line]);
  },
);

test.each(["| body | 1 MiB |", "| wait | 10 s |", "| curve | halves every 5 |", "It waits 250 ms."])(
  "a limit that is set: %s",
  (row) => {
    expect(figuresByHand(`| a | b |\n|---|---|\n${row}\n`)).toEqual([]);
  },
);

test("the tables are found in what a bench prints", () => {
  expect(tablesIn("a round\n| a | b |\n|---|---:|\n| 1 | 2 |\n\nmore\n| no table |\n")).toEqual([
    { columns: ["a", "b"], rows: [["1", "2"]] },
  ]);
});
