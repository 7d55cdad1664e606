import type { ServerRoute } from "@hapi/hapi";
import { makeBadge } from "badge-maker";
import { ServiceError } from "../../model/errors.ts";
import { type Json, type Operation, object, pathParameter } from "../../openapi/operation.ts";
import type { BadgeAddresses } from "./address.ts";
import type { BadgeContent, createBadgeReader } from "./content.ts";

const tokenParameter = pathParameter("token", "As the badge has it in its address");

function operation(operationId: string, summary: string, type: string, schema: Json): Operation {
  const responses = { 200: { description: "For everybody who has the address", content: { [type]: { schema } } } };
  const errors = ["not-found", "internal", "store-unavailable", "overloaded"] as const;
  return { operationId, tags: ["read"], summary, parameters: [tokenParameter], responses, errors };
}

const shields: Json = object({
  schemaVersion: { const: 1 },
  label: { type: "string" },
  message: { type: "string" },
  color: { type: "string" },
  cacheSeconds: { type: "integer" },
});

/**
 * GET /badge/{token}.svg and .json: what a badge shows, for everybody who has its address. The JSON is what the endpoint
 * badge of shields.io takes: https://shields.io/badges/endpoint-badge
 */
export function badgeImageRoutes(
  addresses: BadgeAddresses,
  contentOf: ReturnType<typeof createBadgeReader>,
): ServerRoute[] {
  const route = (
    path: string,
    openapi: Operation,
    {
      type,
      bodyOf,
    }: { readonly type: string; readonly bodyOf: (content: BadgeContent, restS: number) => string | object },
  ): ServerRoute => ({
    method: "GET",
    path,
    options: { auth: false, plugins: { openapi } },
    async handler({ params }, h) {
      const id = await addresses.idOf(String(params.token));
      const cached = id === undefined ? undefined : await contentOf(id);
      // The same error for what never was, what is forged and what is revoked.
      if (cached === undefined) throw new ServiceError("not-found", "there is no badge at this address");
      // The rest of it, so that a badge is not shown for longer because it was cached here and then elsewhere.
      const restS = Math.max(0, Math.floor((cached.endsAt - performance.now()) / 1_000));
      return h
        .response(bodyOf(cached.content, restS))
        .type(type)
        .header("cache-control", `public, max-age=${restS}`)
        .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'")
        .header("access-control-allow-origin", "*");
    },
  });
  return [
    route("/badge/{token}.svg", operation("badgeImage", "A badge as an image", "image/svg+xml", { type: "string" }), {
      type: "image/svg+xml; charset=utf-8",
      bodyOf: (content) => makeBadge(content),
    }),
    route("/badge/{token}.json", operation("badge", "A badge for shields.io", "application/json", shields), {
      type: "application/json",
      bodyOf: (content, restS) => ({ schemaVersion: 1, ...content, cacheSeconds: restS }),
    }),
  ];
}
