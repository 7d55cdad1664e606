import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { anchorOf } from "../../../../../services/scoring/site/pages.ts";
import { docsPageOf } from "./docs-page.ts";

test.each([
  "yours",
  ...(["organisation", "team", "application", "metric", "stale", "changes", "problems"] as const),
  ...(["waivers", "waiting", "asked", "campaigns", "campaign"] as const),
] as const)("the docs have a section about the view %s", (view) => {
  const [page = "", anchor = ""] = docsPageOf(view).split(".html#");
  const text = readFileSync(new URL(`../../../../../docs/${page}.md`, import.meta.url), "utf8");
  const seen = new Map<string, number>();
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading, seen));
  expect(anchors).toContain(anchor);
});
