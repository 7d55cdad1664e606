import { posix } from "node:path";

/** A page by its title in the menu and its path in the repository. */
export interface Entry {
  readonly title: string;
  readonly path: string;
}

/** The groups of pages that the first page of the docs lists. */
export function navigation(index: string): { readonly title: string; readonly entries: readonly Entry[] }[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((group) => {
      const links = [...group.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)];
      const entries = links.map(([, title = "", file = ""]) => ({ title, path: posix.join("docs", file) }));
      return { title: group.split("\n", 1)[0] ?? "", entries };
    });
}

/** The file of each page, by its path in the repository: `concepts.html`, `cli.html` of a package, `api-core.html`. */
export function namesOf(entries: readonly Entry[]): Map<string, string> {
  const nameOf = (path: string) => {
    if (path === "docs/README.md") return "index";
    const [top, ...rest] = path.replace(/(\/README)?\.md$/, "").split("/");
    return top === "docs" ? rest.join("-") : `package-${rest.join("-")}`;
  };
  return new Map(entries.map(({ path }) => [path, `${nameOf(path)}.html`]));
}

/** The sections of a page for the search: heading, anchor and words. */
export function sectionsOf(text: string): [heading: string, anchor: string, words: string][] {
  const seen = new Map<string, number>();
  const parts = text.replace(/^```.*?^```$/gms, (code) => code.replace(/^#/gm, " #")).split(/^#{1,6} /m);
  return parts.slice(1).map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    const words = lines
      .join(" ")
      .replace(/\]\([^)]*\)/g, "]")
      .replace(/[`*|[\]]/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    return [heading.replaceAll("`", ""), anchorOf(heading, seen), words.slice(0, 2_000)];
  });
}

/** As GitHub makes them, so that links hold in both places. `seen` counts those of the page so far. */
export function anchorOf(heading: string, seen: Map<string, number>): string {
  const anchor = heading
    .replace(/\]\([^)]*\)/g, "]")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  const times = seen.get(anchor) ?? 0;
  seen.set(anchor, times + 1);
  return times === 0 ? anchor : `${anchor}-${times}`;
}
