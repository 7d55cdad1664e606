import { describe, expect, test } from "vitest";
import { formerWords, occurrences } from "./glossary.ts";

const words = formerWords(`| Term | Meaning | Not |
|---|---|---|
| share fresh | how much is not stale | fresh coverage |
| queue | where requests wait | waiting room, lane, alias |
| counter | a number that rises | tally |
| cache | shared answers | \`kept\` |
| score | from 0 to 100 | |
`);

test("a glossary has the words that left, with their terms", () => {
  expect(words).toEqual([
    { text: "fresh coverage", isName: false, term: "share fresh" },
    { text: "waiting room", isName: false, term: "queue" },
    { text: "lane", isName: false, term: "queue" },
    { text: "alias", isName: false, term: "queue" },
    { text: "tally", isName: false, term: "counter" },
    { text: "kept", isName: true, term: "cache" },
  ]);
});

describe("a former word is found", () => {
  test.each<[string, string, string, [line: number, text: string][]]>([
    ["in a sentence", "a.md", "It waits\nin a lane.", [[2, "lane"]]],
    [
      "in the plural",
      "a.md",
      "Lanes, aliases, and tallies.",
      [
        [1, "lane"],
        [1, "alias"],
        [1, "tally"],
      ],
    ],
    ["over two lines of a comment", "a.ts", "/**\n * The fresh\n * coverage.\n */", [[2, "fresh coverage"]]],
    [
      "in names of any case",
      "a.ts",
      "freshCoverage + fresh_coverage\n+ WAITING_ROOM",
      [
        [1, "fresh coverage"],
        [1, "fresh coverage"],
        [2, "waiting room"],
      ],
    ],
    ["in a text of the program", "a.tsx", 'export const text = <p title="the tally">1</p>;', [[1, "tally"]]],
    ["in the path", "src/waiting-room.ts", "", [[0, "waiting room"]]],
    ["as a name alone", "a.ts", 'const kept = "kept"; // is kept', [[1, "kept"]]],
  ])("%s", (_, path, text, expected) => {
    expect(occurrences(words, path, text).map(({ line, text }) => [line, text])).toEqual(expected);
  });
});

test.each([
  ["the parts of a phrase", "a.md", "Fresh results. Coverage of tests; a room for waiting."],
  ["a phrase over two sentences", "a.md", "It is fresh. Coverage is another thing."],
  ["a word within another", "a.ts", "planes, volatility"],
  ["in a sentence what is refused as a name", "a.md", "Nothing is `kept`."],
])("%s is no former word", (_, path, text) => {
  expect(occurrences(words, path, text)).toEqual([]);
});
