import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Figures, markdownOf, readFigures } from "./figures.ts";
import { sizing } from "./sizing.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The pages that may show figures. */
const pages = globSync(["*.md", "docs/*.md", "bench/*.md", "packages/{board,cli,client,core,reports}/README.md"], {
  cwd: root,
});

/** `<!-- figures NAME -->` begins what is made of these figures, and `<!-- end of figures -->` ends it. */
const marked = /(<!-- figures ([\w-]+) -->\n).*?(<!-- end of figures -->)/gs;

/** Figures that are measured have these units. Limits that are set are written in KiB, MiB and s. */
const measured = /\d(?:\.\d+)? ?(?:MB|GB|ms|µs)\b|\d ?\/s\b/;

/** A page with the figures of now. */
export function withFigures(page: string, figures: Readonly<Record<string, Figures>>): string {
  return page.replace(marked, (_, begin: string, name: string, end: string) => {
    const entry = name === "sizing" ? sizing(figures) : figures[name];
    if (!entry) throw new Error(`there are no figures ${name}`);
    const on = entry.machine === undefined ? "" : ` (${entry.machine})`;
    return `${begin}\n\`${entry.command}\`${on}:\n\n${entry.tables.map(markdownOf).join("\n\n")}\n\n${end}`;
  });
}

/** Sizes and rates in sentences: their ms are mostly limits. */
const told = /\d ?(?:MB|GB)\b|\d ?\/s\b/;

/** The rows of tables of a page, and its other lines, that have a measured figure and are not made of the file of figures. */
export function figuresByHand(page: string): string[] {
  const lines = page
    .replace(marked, "")
    .replace(/^```.*?^```$/gms, "")
    .split("\n");
  return lines.filter((line) => (/^\|.*\|$/.test(line) ? measured : told).test(line));
}

/** Writes the figures into every page. */
export function writePages(): void {
  const figures = readFigures();
  for (const page of pages) {
    const before = readFileSync(join(root, page), "utf8");
    const after = withFigures(before, figures);
    if (after !== before) writeFileSync(join(root, page), after);
  }
}

/** What is wrong with the figures of the pages, one sentence each. */
export function faultsOfPages(): string[] {
  const figures = readFigures();
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8");
    const stale =
      withFigures(text, figures) === text
        ? []
        : [`${page} shows other figures than bench/figures.json; run pnpm figures`];
    return [...stale, ...figuresByHand(text).map((row) => `${page} has a figure that no bench wrote: ${row}`)];
  });
}
