import { createHash } from "node:crypto";
import type { ResponseObject, ResponseToolkit } from "@hapi/hapi";
import { secured } from "../http/docs.ts";

/** A page that says why a person is not signed in, and what helps. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Links by text; the addresses are relative to the root of the service. */
  readonly links: Readonly<Record<string, string>>;
}

/** As a notice of the Board looks. */
const style = `
:root { color-scheme: light dark; --page: #f7f7f5; --sheet: #fff; --ink: #16181d; --line: #e3e3de; font: 0.875rem/1.5 system-ui, sans-serif }
@media (prefers-color-scheme: dark) { :root { --page: #111318; --sheet: #191c22; --ink: #eceef2; --line: #2a2e37 } }
body { max-width: 40rem; margin: 12vh auto; padding: 0 1rem; background: var(--page); color: var(--ink); overflow-wrap: anywhere }
main { padding: 1.25rem 1.75rem; border: 1px solid var(--line); border-radius: 10px; background: var(--sheet) }
h1 { margin: 0.25rem 0 1rem; font-size: 1.15rem; line-height: 1.3 }
a { display: inline-block; padding: 0.35rem 1rem; border-radius: 7px; background: var(--ink); color: var(--sheet); text-decoration: none }
a:focus-visible { outline: 2px solid #1f5fd0; outline-offset: 2px }`;

const styleHash = createHash("sha256").update(style).digest("base64");

const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** @param root the root of the service, relative to the address of the request */
export function respondWithPage(
  h: ResponseToolkit,
  { status, title, paragraphs, links }: Page,
  root: "" | "../",
): ResponseObject {
  const anchors = Object.entries(links).map(
    ([text, to]) => `<p><a href="${root}${escaped(to)}">${escaped(text)}</a></p>`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)} · Maturity</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${[...paragraphs.map((text) => `<p>${escaped(text)}</p>`), ...anchors].join("\n")}
</main>
</body>
</html>
`;
  return secured(h.response(html).code(status).type("text/html"), headers);
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
