import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { hostileNames } from "../../../services/scoring/test/support/hostile-names.ts";
import { code, link, sentence } from "./markdown.ts";
import { openMetrics } from "./open-metrics.ts";
import { type Summary, type SummaryScore, summaryMarkdown } from "./summary.ts";

const app = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", score: 40.806, reported: 0.2625 },
  metrics: [
    {
      ...{ scorecard: "security", metric: "image_scan", weight: 25, state: "fresh", score: 37.89 },
      gain: {
        ...{ app_gain: 18.12, scorecard_gain: 31.05 },
        steps: [{ field: "critical", from: 1, to: 0, score: 75.79, app_gain: 11.05 }],
      },
    },
    { ...{ scorecard: "reliability", metric: "sla", weight: 30, state: "missing" }, reported_gain: 0.12 },
  ],
} as unknown as NonNullable<NonNullable<Summary["standing"]>["app"]>;

const summary: Summary = {
  title: "gate not met",
  target: { area: "shop", team: "checkout", app: "cart", env: "prod" },
  scores: [
    {
      ...{ scorecard: "security", metric: "image_scan", score: 37.89, former: 75.79 },
      reasons: [{ text: "1 critical finding leaves 50 % of the score; each one halves it" }],
      notes: ["stored is 75.79: 37.9 worse, by critical 0 → 1"],
    },
  ],
  verdicts: [
    { text: "at least 30", met: true },
    { text: "no worse than stored", met: false },
  ],
  app: "the application scores 58.9, and 40.8 with this",
  standing: { app, board: "https://maturity.example.com/board/?env=prod&app=cart" },
};

test("a summary shows scores with their change, why, and what to fix first", () => {
  expect(summaryMarkdown(summary)).toBe(`### Maturity: gate not met

\`shop\` / \`checkout\` / \`cart\` / \`prod\`, see [the Board](<https://maturity.example.com/board/?env=prod&app=cart>)

- ✅ at least 30: met
- ❌ no worse than stored: not met

| metric | before | score | change |
|:--|--:|--:|--:|
| \`image_scan\` | 75.79 | 37.89 | −37.9 |

the application scores 58.9, and 40.8 with this

**\`image_scan\`**

- 1 critical finding leaves 50 % of the score; each one halves it
- \`stored is 75.79: 37.9 worse, by critical 0 → 1\`

The application scores **40.8** with 26 % of the weight reported.

What to fix first:

- \`image_scan\` 37.89 → 100 gains 18.1 points
- the next step that gains most: \`image_scan critical 1 → 0\`, 11.1 points
- never reported: \`sla\` (12 % of the weight)

`);
});

test("what a gate has scored is not to be fixed again, or by what is left", () => {
  const fixesWith = (score: object) =>
    summaryMarkdown({ ...summary, scores: [{ ...(summary.scores[0] as SummaryScore), ...score }] }).trim();
  expect(fixesWith({ score: 100 })).not.toContain("→ 100 gains");
  const risen = fixesWith({ score: 68.95 });
  expect(risen).toContain("The application scores **40.8** as stored, with 26 % of the weight reported.");
  expect(risen).toContain("- `image_scan` 68.95 → 100 gains 9.1 points\n- never reported: `sla`");
  expect(fixesWith({ scorecard: "reliability", metric: "sla", score: 50 })).not.toContain("never reported");
});

/** Texts that end a span, a cell, a line or a paragraph, or that are markup, mentions or links. */
const hostile = [
  ...hostileNames,
  "`",
  "``` x ``",
  "` |",
  "a|b",
  "\\|",
  "\\`",
  "a\n\n# head",
  "<img src=x onerror=alert(1)>",
  "</code><script>alert(1)</script>",
  "<!-- ",
  "&lt;b&gt;",
  "[x](javascript:alert(1))",
  "![x](https://evil.example/x.png)",
  "https://evil.example",
  "www.evil.example",
  "ann@evil.example",
  "@ann",
  "#1",
  "GH-12",
  "milestone %3",
  "commit 1234567",
  "/close",
  "x\n/close",
  "**bold** _x_ ~~y~~",
  "- item",
  "1. item",
  "| a | b |",
  ":tada:",
  "$x$",
  " ",
  "x".repeat(10_000),
];

describe.each(hostile)("the text %j", (text) => {
  test("stays one code span, in a line and in a cell", () => {
    for (const html of [
      marked.parse(`a ${code(text)} z`, { async: false }) as string,
      marked.parse(`| a | b |\n|--|--|\n| ${code(text)} | z |`, { async: false }) as string,
    ]) {
      expect(html.replace(/<code>[^<]*<\/code>/, "SPAN")).not.toMatch(/<(?!\/?(?:p|table|thead|tbody|tr|th|td)\b)/);
      expect(html.split("<code>")).toHaveLength(2);
      expect(html.split("<td>").length).toBe(html.includes("<table>") ? 3 : 1);
    }
  });

  test.each([false, true])("is no markup anywhere in a summary, with folded reasons: %s", (isFolded) => {
    const hostileSummary: Summary = {
      ...summary,
      verdicts: [{ text, met: false }],
      lines: [text],
      target: { area: text, team: text, app: text, env: text },
      scores: [{ scorecard: text, metric: text, score: 1, former: 2, reasons: [{ text }], notes: [text] }],
      standing: {
        app: {
          ...app,
          metrics: app.metrics?.map((metric) => ({
            ...metric,
            scorecard: text,
            metric: text,
            ...(metric.gain && {
              gain: { ...metric.gain, steps: metric.gain.steps.map((step) => ({ ...step, field: text })) },
            }),
          })),
        } as typeof app,
        board: `https://maturity.example.com/board/?${new URLSearchParams({ app: text })}`,
      },
    };
    const markdown = summaryMarkdown(hostileSummary, { most: 50, isFolded });
    const html = marked.parse(markdown, { async: false }) as string;
    const bare = html.replaceAll(/<code>[^<]*<\/code>/g, "");
    expect(bare.match(/<a /g)).toHaveLength(1);
    expect(bare).not.toMatch(/<(?:script|img|em|del|h[1245]|pre|blockquote)\b|javascript:/);
    expect(bare.match(/<h3/g)).toHaveLength(1);
    expect(bare.match(/<tr>/g)).toHaveLength(2);
    expect(bare.match(/<td/g)).toHaveLength(4);
    expect(bare.match(/<details>/g) ?? []).toHaveLength(isFolded ? 1 : 0);
    expect(bare.replace(/ href="[^"]*"/, "")).not.toMatch(/@|#|<!--|%\w|\bGH-/);
  });
});

test.each([
  ["3 high findings leave 66 % of the score; every 5 of them halve it", true],
  ["the application's 2nd try", true],
  ["see https://evil.example", false],
  ["see www.evil.example", false],
  ["ask @ann", false],
  ["1. one", false],
  ["- one", false],
  ["a `b`", false],
  ["a_b_", false],
  ["see GH-12", false],
  ["for %3", false],
  ["since abcdef1", false],
])("the sentence %j is shown as it is: %s", (text, isPlain) => {
  expect(sentence(text)).toBe(isPlain ? text : code(text));
});

test.each(["https://a.example/x(1)", "https://a.example/<b>", "https://a.example/a b", "https://a.example/`|"])(
  "the address %s is one link",
  (address) => {
    const html = marked.parse(link("the Board", address), { async: false }) as string;
    expect(html).toMatch(/^<p><a href="https:\/\/a\.example\/[^"<>]*">the Board<\/a><\/p>\n$/);
  },
);

test("a long list has an end", () => {
  const [score] = summary.scores;
  const scores = Array.from({ length: 5_000 }, () => ({
    ...(score as typeof score & object),
    metric: "x".repeat(10_000),
  }));
  const markdown = summaryMarkdown({ ...summary, scores });
  expect(markdown.length).toBeLessThan(200_000);
  expect(markdown).toContain("and 4950 more");
});

test("OpenMetrics of the scores, with labels that a quote does not end", () => {
  const scores = [...summary.scores, { scorecard: 'a"', metric: "b\\\n", score: 1, reasons: [] }];
  expect(openMetrics({ ...summary, scores })).toBe(`# TYPE maturity_score gauge
maturity_score{scorecard="security",metric="image_scan"} 37.89
maturity_score{scorecard="a\\"",metric="b\\\\\\n"} 1
# TYPE maturity_app_score gauge
maturity_app_score 40.81
# TYPE maturity_app_reported_ratio gauge
maturity_app_reported_ratio 0.2625
# EOF
`);
});
