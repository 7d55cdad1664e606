import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "./support/markdown.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");
const withoutCode = (page: string) => page.replace(/^```.*?^```$/gms, "");
const pages = globSync(["{,bench/}*.md", "docs/**/*.md", "{packages,services}/*/*.md"], {
  cwd: repository,
  exclude: ["**/CHANGELOG.md"],
});

/** The anchors of a page: those of its headings, as GitHub makes them, and those that it has itself. */
function anchors(page: string): string[] {
  const seen = new Map<string, number>();
  const headings = [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
  return [...headings, ...[...withoutCode(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)];
}

test.each(pages)("the links of %s lead somewhere", (path) => {
  const links = [...withoutCode(read(path)).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
  for (const [link, file = "", anchor] of links) {
    const target = file === "" ? path : join(dirname(path), file);
    expect(existsSync(join(repository, target)), link).toBe(true);
    const page = target.endsWith(".md") ? target : join(target, "README.md");
    if (anchor) expect(anchors(read(page)), link).toContain(anchor);
  }
});

test.each(pages.filter((path) => /^docs\/[a-z-]+\.md$/.test(path)))("%s says for whom it is, and what for", (path) => {
  const [opening] = read(path).split(/^(?:## |\||```)/m);
  expect(opening).toMatch(/^For .*After this page/ms);
});

describe("docs/architecture.md", () => {
  const service = ["services/scoring", "services/scoring/src", "services/scoring/src/store"];
  const packages = ["packages/security", "packages/cli/src/folder", ...globSync("packages/*/src", { cwd: repository })];
  const roots = ["", ...service, ...packages];
  /** A file or folder in backquotes; a name with an ellipsis or a star stands for several. */
  const paths = [...withoutCode(read("docs/architecture.md")).matchAll(/`([\w.-]*\/[\w./-]*|[\w.-]+\.(?:ts|json))`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !path.startsWith("/"));

  test.each([...new Set(paths)])("%s is there", (path) => {
    expect(roots.some((root) => existsSync(join(repository, root, path)))).toBe(true);
  });

  test("names files and folders", () => {
    expect(paths.length).toBeGreaterThan(40);
  });
});

describe("docs/threat-model.md", () => {
  const rows = [...read("docs/threat-model.md").matchAll(/^\| .* \| (.*) \|$/gm)].map(([, last = ""]) => last);
  const shown = rows.slice(rows.indexOf("shown by") + 1).flatMap((last) => last.split(/[;,] (?![^*]*\*$)/));

  test.each([...new Set(shown)])("the test %s is there", (text) => {
    const [, name = "", title] = /^`?([\w/*.-]+)`?(?:: (?:\*([^*]+)\*|.*))?$/.exec(text) ?? [];
    expect(name).not.toBe("");
    const folder = join(repository, "services/scoring", name.includes("/") ? "" : "test");
    const files = globSync(`${name}.test.ts`, { cwd: folder });
    expect(files).not.toEqual([]);
    if (title) expect(files.some((file) => readFileSync(join(folder, file), "utf8").includes(title))).toBe(true);
  });

  test("names tests", () => {
    expect(shown.length).toBeGreaterThan(60);
  });
});
