import { expect, test } from "vitest";
import type { Fact, FactType } from "../../model/fact.ts";
import type { Problem, ProblemDetail } from "../../model/problem.ts";
import type { Message } from "../destination.ts";
import { slackText } from "./slack.ts";

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

function factOf(type: FactType, { area, team, app, env, severity, ...data }: Problem, rest: object = {}): Fact {
  return { type, subject: "1@2", area, team, app, env, severity, data: { ...data, ...rest } };
}

function textOf(fact: Fact, rest: Partial<Message> = {}): string {
  const whole = { id: "1", fact, at: new Date(0), reports: 1, thread: null, address: "#security", link: null };
  return slackText({ ...whole, ...rest });
}

const shownText = (of: Problem) => textOf(factOf("problem.opened", of));

/** The text about a problem that was open for so long. */
const resolvedText = (openMs: number, of = problem) =>
  textOf(factOf("problem.resolved", of, { opened_at: 0 }), { at: new Date(openMs) });
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
  expect(shownText({ ...problem, ...changes })).toBe(lines.join("\n"));
});

test("a long line is cut at 300 characters, by code points", () => {
  const [, line] = shownText({ ...problem, details: [{ file: "\u{1f600}".repeat(301) }] }).split("\n");
  expect(line).toBe(`• ${"\u{1f600}".repeat(300)}…`);
  const [, whole] = shownText({ ...problem, details: [{ file: "\u{1f600}".repeat(300) }] }).split("\n");
  expect(whole).toBe(`• ${"\u{1f600}".repeat(300)}`);
});

test("what is not seen, or turns the text around it, is left out", () => {
  const [, line] = shownText({ ...problem, details: [{ file: "a\u202egnp.exe\u200b" }] }).split("\n");
  expect(line).toBe("• agnp.exe");
});

test("a line is cut before it is escaped, so that no escape is cut in two", () => {
  const [, line] = shownText({ ...problem, details: [{ file: "<".repeat(400) }] }).split("\n");
  expect(line).toBe(`• ${"&lt;".repeat(300)}…`);
});

test("the longest report still makes one message of a few thousand characters", () => {
  const long = "\u{1f600}".repeat(200);
  const details = Array.from({ length: 1_000 }, () => ({ file: long.repeat(20), description: "x".repeat(4_000) }));
  const names = { area: long, team: long, app: long, env: long, problem_type: long };
  const text = shownText({ ...problem, ...names, count: 2_147_483_647, details });
  expect([...text].length).toBeLessThan(3_000);
  expect(text.split("\n")).toHaveLength(7);
  expect(text).toMatch(/and 2147483642 more$/);
});

test.each([
  ["less than a minute", 59_999],
  ["1 minute", 60_000],
  ["119 minutes", 7_199_999],
  ["2 hours", 7_200_000],
  ["47 hours", 172_799_999],
  ["2 days", 172_800_000],
  ["400 days", 400 * 86_400_000],
  ["less than a minute", -5],
])("a resolved problem was open for %s", (words, openMs) => {
  expect(resolvedText(openMs)).toBe(`*resolved*: terraform_secret in shop/checkout/cart (prod), was open for ${words}`);
});

test("a resolved problem forges nothing either", () => {
  const where = { ...problem, team: "<!here>", app: "a & b", env: "<@U1>\n", problem_type: "<!channel>" };
  expect(resolvedText(60_000, where)).toBe(
    "*resolved*: &lt;!channel&gt; in shop/&lt;!here&gt;/a &amp; b (&lt;@U1&gt; ), was open for 1 minute",
  );
});

test.each([
  ["one report is written as it is", { reports: 1, thread: "ts-1" }, 7, []],
  ["several say how many they are", { reports: 12, thread: "ts-1" }, 7, ["12 more reports, now 7 findings"]],
  ["one finding is one", { reports: 2, thread: "ts-1" }, 1, ["2 more reports, now 1 finding"]],
  ["the first of a thread are no more", { reports: 2, thread: null }, 3, ["2 reports, now 3 findings"]],
])("of reports that share a message %s", (_, message, count, lines) => {
  const text = textOf(factOf("problem.changed", { ...problem, count }), message);
  expect(text.split("\n")).toEqual([...lines, head.replace("1 ×", `${count} ×`)]);
});

test("of reports that share a message the end says it all", () => {
  const fact = factOf("problem.resolved", problem, { opened_at: 0 });
  expect(textOf(fact, { reports: 12, thread: "ts-1" })).toMatch(/^\*resolved\*/);
});

test("the link leads to the Board", () => {
  expect(textOf(factOf("problem.opened", problem), { link: "https://maturity.example/board/?a=1&b=2" })).toBe(
    `${head}\n<https://maturity.example/board/?a=1&amp;b=2|Board>`,
  );
});
