import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { server as createHapi, type Server } from "@hapi/hapi";
import inert from "@hapi/inert";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildSite } from "../site/build.ts";
import { navigation } from "../site/pages.ts";
import { docsRoutes } from "../src/http/docs.ts";
import { repository } from "./support/markdown.ts";

let folder: string;
let names: readonly string[];
let server: Server;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "maturity-docs-"));
  names = buildSite(folder);
  server = createHapi();
  await server.register(inert);
  server.route(docsRoutes(pathToFileURL(`${folder}/`)));
});

afterAll(() => rmSync(folder, { recursive: true }));

const pageOf = (name: string) => readFileSync(join(folder, name), "utf8");

test("docs/README.md lists each page once", () => {
  const listed = navigation(readFileSync(join(repository, "docs/README.md"), "utf8")).flatMap(({ entries }) =>
    entries.map(({ path }) => path),
  );
  const pages = globSync("docs/**/*.md", { cwd: repository }).filter((path) => path !== "docs/README.md");
  expect(listed.filter((path) => path.startsWith("docs/")).toSorted()).toEqual(pages.toSorted());
});

test("each link of each page leads to a page of the site, and to an anchor that it has", () => {
  expect(names.length).toBeGreaterThan(25);
  let seen = 0;
  for (const name of names) {
    for (const [, href = ""] of pageOf(name).matchAll(/<a href="([^"]+)"/g)) {
      if (/^\w+:/.test(href) || ["api", "../board/"].includes(href)) continue;
      const [file = "", anchor] = href.split("#");
      expect(["", ...names], `${name}: ${href}`).toContain(file);
      if (anchor) expect(pageOf(file || name), `${name}: ${href}`).toContain(`id="${anchor}"`);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(300);
});

test("the search knows the sections of every page, by anchors that are there", () => {
  const sections: [string, string, string, string, string][] = JSON.parse(pageOf("search.json"));
  expect([...new Set(sections.map(([name]) => name))].toSorted()).toEqual([...names].toSorted());
  for (const [name, , , anchor] of sections) expect(pageOf(name), `${name}#${anchor}`).toContain(`id="${anchor}"`);
});

describe("the service", () => {
  test.each(["/docs/", "/docs/concepts.html", "/docs/site.css", "/docs/search.js", "/docs/search.json"])(
    "serves %s",
    async (url) => {
      const { statusCode, headers, payload } = await server.inject(url);
      expect(statusCode).toBe(200);
      expect(String(headers["content-security-policy"])).toContain("default-src 'self'");
      expect(payload).not.toBe("");
    },
  );

  test.each(["/docs/nothing.html", "/docs/..%2fpackage.json", "/docs/%2e%2e/package.json", "/docs/site.css%00"])(
    "has nothing at %s",
    async (url) => {
      const { statusCode } = await server.inject(url); // 500 where this bare server does not know the errors of the service
      expect(statusCode).toBeGreaterThanOrEqual(400);
    },
  );

  test("no page has an inline script or loads anything from elsewhere", () => {
    for (const name of names) {
      expect(pageOf(name)).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+="|(?:src|<link[^>]*href)="(?:\w+:)?\/\//);
    }
  });
});
