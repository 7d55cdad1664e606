import { expect, test } from "vitest";
import type { Problem, ProblemDetail } from "../store/problems.ts";
import { alertText } from "./message.ts";

const problem: Problem = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  problem_type: "terraform_secret",
  severity: "high",
  count: 1,
  details: [],
};

const head = "*high*: 1 × terraform_secret in shop/checkout/cart (prod)";
const files = (count: number): ProblemDetail[] =>
  Array.from({ length: count }, (_, index) => ({ file: `${index + 1}.tf` }));
const bullets = (count: number) => files(count).map(({ file }) => `• ${file}`);

const cases: Readonly<Record<string, { changes: Partial<Problem>; lines: readonly string[] }>> = {
  "without details the head says it all": { changes: {}, lines: [head] },
  "without details it does not say how many more": {
    changes: { count: 7 },
    lines: [head.replace("1 ×", "7 ×")],
  },
  "a detail has its file, line and description": {
    changes: { details: [{ file: "a/main.tf", line: 3, description: "AWS key" }] },
    lines: [head, "• a/main.tf:3 AWS key"],
  },
  "a detail may have its file alone": { changes: { details: [{ file: "main.tf" }] }, lines: [head, "• main.tf"] },
  "a detail may have no line": {
    changes: { details: [{ file: "main.tf", description: "AWS key" }] },
    lines: [head, "• main.tf AWS key"],
  },
  "line 0 is a line, and an empty description is none": {
    changes: { details: [{ file: "main.tf", line: 0, description: "" }] },
    lines: [head, "• main.tf:0"],
  },
  "five details are all shown": {
    changes: { count: 5, details: files(5) },
    lines: [head.replace("1 ×", "5 ×"), ...bullets(5)],
  },
  "of six details five are shown": {
    changes: { count: 6, details: files(6) },
    lines: [head.replace("1 ×", "6 ×"), ...bullets(5), "and 1 more"],
  },
  "what is more counts findings, not details": {
    changes: { count: 5_000, details: files(1_000) },
    lines: [head.replace("1 ×", "5000 ×"), ...bullets(5), "and 4995 more"],
  },
  "findings beyond few details are counted too": {
    changes: { count: 3, details: files(2) },
    lines: [head.replace("1 ×", "3 ×"), ...bullets(2), "and 1 more"],
  },
  "no name can mention a channel or a person, nor forge a link": {
    changes: {
      area: "<!channel>",
      team: "<!here>",
      app: "<@U1>",
      env: "<http://evil|ok>",
      problem_type: "<!subteam^S1>",
    },
    lines: ["*high*: 1 × &lt;!subteam^S1&gt; in &lt;!channel&gt;/&lt;!here&gt;/&lt;@U1&gt; (&lt;http://evil|ok&gt;)"],
  },
  "no detail can either": {
    changes: { details: [{ file: "<!channel>", line: 1, description: "<@U1> & <#C1>" }] },
    lines: [head, "• &lt;!channel&gt;:1 &lt;@U1&gt; &amp; &lt;#C1&gt;"],
  },
  "what looks escaped is shown as it came": {
    changes: { details: [{ file: "&lt;!channel&gt; &amp;" }] },
    lines: [head, "• &amp;lt;!channel&amp;gt; &amp;amp;"],
  },
  "a description of several lines becomes one": {
    changes: { details: [{ file: "a", description: "one\n\n*high*: 99 × forged\r\n\ttwo\u2028three" }] },
    lines: [head, "• a one *high*: 99 × forged two three"],
  },
  "control characters drive no terminal": {
    changes: { details: [{ file: "a", description: "one\u001b[2J\u0007\u009b31m two" }] },
    lines: [head, "• a one [2J 31m two"],
  },
};

test.each(Object.entries(cases))("%s", (_, { changes, lines }) => {
  expect(alertText({ ...problem, ...changes })).toBe(lines.join("\n"));
});

test("a long line is cut at 300 characters, by code points", () => {
  const [, line] = alertText({ ...problem, details: [{ file: "\u{1f600}".repeat(301) }] }).split("\n");
  expect(line).toBe(`• ${"\u{1f600}".repeat(300)}…`);
  const [, whole] = alertText({ ...problem, details: [{ file: "\u{1f600}".repeat(300) }] }).split("\n");
  expect(whole).toBe(`• ${"\u{1f600}".repeat(300)}`);
});

test("a line is cut before it is escaped, so that no escape is cut in two", () => {
  const [, line] = alertText({ ...problem, details: [{ file: "<".repeat(400) }] }).split("\n");
  expect(line).toBe(`• ${"&lt;".repeat(300)}…`);
});

test("the longest report still makes one message of a few thousand characters", () => {
  const long = "\u{1f600}".repeat(200);
  const details = Array.from({ length: 1_000 }, () => ({ file: long.repeat(20), description: "x".repeat(4_000) }));
  const names = { area: long, team: long, app: long, env: long, problem_type: long };
  const text = alertText({ ...problem, ...names, count: 2_147_483_647, details });
  expect([...text].length).toBeLessThan(3_000);
  expect(text.split("\n")).toHaveLength(7);
  expect(text).toMatch(/and 2147483642 more$/);
});
