import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { ResponseObject, ResponseToolkit, ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { ServiceError } from "../model/errors.ts";
import { readOperation, unlisted } from "../openapi/operation.ts";

/** All addresses are relative to that of the page, so that they hold behind a proxy that puts a prefix before them. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Maturity API</title>
    <link rel="stylesheet" href="swagger-ui.css">
    <link rel="icon" href="favicon-32x32.png">
  </head>
  <body>
    <div id="page"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({ url: "../openapi.json", dom_id: "#page", deepLinking: true, tryItOutEnabled: true, defaultModelsExpandDepth: 0 });\n`;

/** Everything is loaded from this service, and the page holds no script. Swagger UI sets inline styles itself. */
const securityHeaders = {
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "referrer-policy": "no-referrer",
};

/** Files of Swagger UI that the page needs. The build copies them beside the program. */
export const docsAssets: readonly string[] = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];

const openapi = readOperation("docs", "This description as a page to read and try", "text/html", { type: "string" });

/** The names of the files of the docs; any other gets 404 without a look at the disk. */
const siteFile = Joi.object({ file: Joi.string().pattern(/^[a-z][a-z-]{0,99}\.(?:html|css|js|json)$/) });

/**
 * The docs at `/docs/`, and the API description as a page to read and try at `/docs/api`.
 *
 * @param site the folder that `site/build.ts` makes; without it `/docs/` leads to the description of the API
 */
export function docsRoutes(site: URL | undefined = findSite()): ServerRoute[] {
  return [
    redirect("/docs", "docs/"),
    { ...content("/docs/api", "text/html", page), options: { auth: false, plugins: { openapi } } },
    content("/docs/start.js", "text/javascript", start),
    ...docsAssets.map((name): ServerRoute => {
      const file = assetFile(name);
      return {
        method: "GET",
        path: `/docs/${name}`,
        options: unlisted,
        handler: (_, h) => secured(h.file(file, { confine: false })),
      };
    }),
    ...(site ? siteRoutes(fileURLToPath(site)) : [redirect("/docs/", "api")]),
  ];
}

function siteRoutes(folder: string): ServerRoute[] {
  const send = (h: ResponseToolkit, name: string) => secured(h.file(name, { confine: folder }));
  return [
    { method: "GET", path: "/docs/", options: unlisted, handler: (_, h) => send(h, "index.html") },
    {
      method: "GET",
      path: "/docs/{file}",
      options: { ...unlisted, validate: { params: siteFile, failAction: notFound } },
      handler: ({ params }, h) => send(h, String(params.file)),
    },
  ];
}

function notFound(): never {
  throw new ServiceError("not-found", "there is no such page; /docs/ lists the pages");
}

/** Where the build puts the docs, beside the program. Sources have none. */
function findSite(): URL | undefined {
  const site = new URL("docs/site/", import.meta.url);
  return existsSync(new URL("index.html", site)) ? site : undefined;
}

/** A route that leads to an address relative to its own. */
export function redirect(path: string, to: string): ServerRoute {
  return { method: "GET", path, options: unlisted, handler: (_, h) => h.redirect(to) };
}

/** The path of a file: beside the built program, or, when the sources run, in Swagger UI's package. */
function assetFile(name: string): string {
  const built = fileURLToPath(new URL(`docs/${name}`, import.meta.url));
  return existsSync(built) ? built : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
}

function content(path: string, type: string, body: string): ServerRoute {
  return { method: "GET", path, options: unlisted, handler: (_, h) => secured(h.response(body).type(type)) };
}

/** Adds headers to a response; without others those of the docs. */
export function secured(response: ResponseObject, headers: Record<string, string> = securityHeaders): ResponseObject {
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}
