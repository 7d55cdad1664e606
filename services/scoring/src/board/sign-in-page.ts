import { createHash } from "node:crypto";
import type { ResponseObject, ResponseToolkit } from "@hapi/hapi";

/** A page that says why a person is not signed in, and what helps. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Links by text; the addresses are relative to the root of the service. */
  readonly links: Readonly<Record<string, string>>;
}

const style =
  ":root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif } body { max-width: 40rem; margin: 10vh auto; padding: 0 1rem; overflow-wrap: anywhere }";

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
  const response = h.response(html).code(status).type("text/html");
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
