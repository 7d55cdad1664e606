import { markerOf } from "@maturity/forge/marks";
import { expect, test } from "vitest";
import { commentText } from "./comment-text.ts";

const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const marker = markerOf(target, "gate");

test.each([1, 30, 5_000])("the comment about %i scores with hostile names fits", (count) => {
  const text = "|<@team>--> ".repeat(50);
  const score = { scorecard: text, metric: text, score: 1, reasons: [{ text }, { text }], notes: [text] };
  const scores = Array.from({ length: count }, () => score);
  const verdicts = scores.map(() => ({ text, met: false }));
  const body = commentText(marker, { title: "gate not met", target, scores, verdicts }, { commit: "abcdef0123456789" });
  expect(body.length).toBeLessThan(65_536);
  expect(body.startsWith(`${marker}\n### Maturity: gate not met\n`)).toBe(true);
  expect(body).toMatch(/<sub>of commit `abcdef012345`<\/sub>\n$/);
  expect(body.includes("<details>")).toBe(body.includes("</details>"));
});
