import { fileURLToPath } from "node:url";
import type { ResponseToolkit, ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { redirect, secured } from "../http/docs.ts";
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
  const confine = fileURLToPath(directory);
  /** The error of a file that is not there takes the place of the response, so no browser caches it. */
  const send = (h: ResponseToolkit, file: string, caching: string) =>
    secured(h.file(file, { confine }), { ...securityHeaders, "cache-control": caching });
  return [
    redirect("/", "board/"),
    redirect("/board", "board/"),
    { method: "GET", path: "/board/", options: unlisted, handler: (_, h) => send(h, "index.html", revalidated) },
    {
      method: "GET",
      path: "/board/assets/{file}",
      options: { ...unlisted, validate: { params: fileName, failAction: notFound } },
      handler: ({ params }, h) => send(h, `assets/${params.file}`, cachedForever),
    },
  ];
}

function notFound(): never {
  throw new ServiceError("not-found", "there is no such file");
}
