import { fileURLToPath } from "node:url";
import type { Lifecycle, ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { redirect } from "../http/docs.ts";
import { ServiceError } from "../model/errors.ts";
import { unlisted } from "../openapi/operation.ts";

/** The page loads files of this service alone, has no inline script or style, and cannot be framed. */
const securityHeaders = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "referrer-policy": "no-referrer",
};

/** For assets: their names change with their content, so a browser may keep them. */
const cachedForever = "public, max-age=31536000, immutable";

/** For the document: it names the assets, so a browser checks each time whether it has changed. */
const revalidated = "no-cache";

/** The file names that the build makes. Any other name gets 404 without a look at the disk. */
const fileName = Joi.object({ file: Joi.string().pattern(/^\w[\w.-]{0,199}$/) });

/**
 * The page and its files. All URLs are relative, so they hold behind a proxy that adds a prefix.
 *
 * @param directory holds `index.html` and `assets/`
 */
export function pageRoutes(directory: URL): ServerRoute[] {
  const folder = fileURLToPath(directory);
  return [
    redirect("/", "board/"),
    redirect("/board", "board/"),
    {
      method: "GET",
      path: "/board/",
      options: {
        ...unlisted,
        files: { relativeTo: folder },
        ext: { onPreResponse: { method: withHeaders(revalidated) } },
      },
      handler: { file: "index.html" },
    },
    {
      method: "GET",
      path: "/board/assets/{file}",
      options: {
        ...unlisted,
        validate: { params: fileName, failAction: notFound },
        files: { relativeTo: folder },
        ext: { onPreResponse: { method: withHeaders(cachedForever) } },
      },
      handler: { directory: { path: "assets", index: false } },
    },
  ];
}

function notFound(): never {
  throw new ServiceError("not-found", "there is no such file");
}

/** Adds the headers to a file. An error gets none, so that no browser caches it. */
function withHeaders(cacheControl: string): Lifecycle.Method {
  return ({ response }, h) => {
    if ("isBoom" in response) return h.continue;
    for (const [name, value] of Object.entries(securityHeaders)) response.header(name, value);
    response.header("cache-control", cacheControl);
    return h.continue;
  };
}
