import { fileURLToPath } from "node:url";
import type { Lifecycle, RouteOptions, ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { ServiceError } from "../model/errors.ts";

/** Everything comes from this service, and the page holds no script and no style of its own. Nobody may frame it. */
const securityHeaders = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "referrer-policy": "no-referrer",
};

/** The name of a file of assets changes with its content, so a browser need never ask for it again. */
const forEver = "public, max-age=31536000, immutable";

/** The document names the assets, so a browser asks each time whether it is still the same. */
const asked = "no-cache";

/** What the build can call a file. Any other name is not even looked for. */
const fileName = Joi.object({ file: Joi.string().pattern(/^\w[\w.-]{0,199}$/) });

const unlisted = { auth: false, plugins: { openapi: false } } satisfies RouteOptions;

/**
 * The page and its files. All addresses are relative, so that they hold behind a proxy that puts a prefix before them.
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
      options: { ...unlisted, files: { relativeTo: folder }, ext: { onPreResponse: { method: send(asked) } } },
      handler: { file: "index.html" },
    },
    {
      method: "GET",
      path: "/board/assets/{file}",
      options: {
        ...unlisted,
        validate: { params: fileName, failAction: notFound },
        files: { relativeTo: folder },
        ext: { onPreResponse: { method: send(forEver) } },
      },
      handler: { directory: { path: "assets", index: false } },
    },
  ];
}

function redirect(path: string, to: string): ServerRoute {
  return { method: "GET", path, options: unlisted, handler: (_, h) => h.redirect(to) };
}

function notFound(): never {
  throw new ServiceError("not-found", "there is no such file");
}

/** Adds the headers to the file. An error gets none of them, and above all is not kept for a year. */
function send(cacheControl: string): Lifecycle.Method {
  return ({ response }, h) => {
    if ("isBoom" in response) return h.continue;
    for (const [name, value] of Object.entries(securityHeaders)) response.header(name, value);
    response.header("cache-control", cacheControl);
    return h.continue;
  };
}
