import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import markdownIt from "markdown-it";
import { anchorOf, type Entry, namesOf, navigation, sectionsOf } from "./pages.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const first = "docs/README.md";

/**
 * Writes the docs as pages of HTML, with a search, into a folder. All addresses in them are relative, and they load nothing from
 * elsewhere. The pages are those that `docs/README.md` lists, in its order.
 *
 * @returns the names of the pages
 */
export function buildSite(folder: string): readonly string[] {
  const index = readFileSync(join(root, first), "utf8");
  const groups = navigation(index).map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ path }) => existsSync(join(root, path))),
  }));
  const names = namesOf([{ title: "Docs", path: first }, ...groups.flatMap(({ entries }) => entries)]);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const found: unknown[] = [];
  for (const [path, name] of names) {
    const text = readFileSync(join(root, path), "utf8").replace(/<!--.*?-->\n?/gs, "");
    const title = /^# (.*)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? name;
    const menu = groups.map(({ title, entries }) => menuOf(title, entries, names, path)).join("");
    writeFileSync(join(folder, name), page(title, menu, rendered(text, path, names)));
    found.push(...sectionsOf(text).map((section) => [name, title, ...section]));
  }
  writeFileSync(join(folder, "search.json"), JSON.stringify(found));
  for (const file of ["site.css", "search.js"]) copyFileSync(new URL(file, import.meta.url), join(folder, file));
  return [...names.values()];
}

function menuOf(title: string, entries: readonly Entry[], names: ReadonlyMap<string, string>, path: string): string {
  const items = entries.map((entry) => {
    const current = entry.path === path ? ' aria-current="page"' : "";
    return `<li><a href="${names.get(entry.path)}"${current}>${escaped(entry.title)}</a></li>`;
  });
  return `<h2>${escaped(title)}</h2><ul>${items.join("")}</ul>`;
}

/** The HTML of a page. A link to a file that is no page of the site becomes plain text. */
function rendered(text: string, path: string, names: ReadonlyMap<string, string>): string {
  const markdown = markdownIt({ html: true });
  const seen = new Map<string, number>();
  markdown.core.ruler.push("site", ({ tokens, Token }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type === "heading_open") token.attrSet("id", anchorOf(tokens[index + 1]?.content ?? "", seen));
      const children = token.children ?? [];
      let dropped = false;
      for (const child of children) {
        if (child.type === "link_open") {
          const to = addressOf(String(child.attrGet("href")), path, names);
          dropped = to === undefined;
          if (to !== undefined) child.attrSet("href", to);
        }
        if (dropped && child.type === "link_open") Object.assign(child, new Token("html_inline", "", 0));
        if (dropped && child.type === "link_close") {
          Object.assign(child, new Token("html_inline", "", 0));
          dropped = false;
        }
      }
    }
  });
  return markdown.render(text);
}

function addressOf(href: string, path: string, names: ReadonlyMap<string, string>): string | undefined {
  if (/^\w+:/.test(href) || href.startsWith("#")) return href;
  const [file = "", anchor] = href.split("#");
  const target = posix.join(dirname(path), file);
  const name = names.get(target) ?? names.get(posix.join(target, "README.md"));
  return name === undefined ? undefined : `${name}${anchor === undefined ? "" : `#${anchor}`}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function page(title: string, menu: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Maturity</title>
<link rel="stylesheet" href="site.css">
<link rel="icon" href="favicon-32x32.png">
<script src="search.js" defer></script>
</head>
<body>
<header><a href="index.html">Maturity docs</a>
<input type="search" id="query" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off">
<nav aria-label="Service"><a href="../board/">Board</a> <a href="api">API</a></nav></header>
<ol id="found" hidden></ol>
<div class="columns"><nav class="menu" aria-label="Pages">${menu}</nav>
<main>${content}</main></div>
</body>
</html>
`;
}
