import type { ServerRoute } from "@hapi/hapi";
import { grantOf } from "../http/caller.ts";
import { querySchema, readQuery } from "../lists/query.ts";
import { scopes } from "../model/grant.ts";
import { jsonResponse, type Operation, object } from "../openapi/operation.ts";

const noParameters = querySchema({});

const text = { type: "string" };

const operation: Operation = {
  operationId: "whoAmI",
  tags: ["read"],
  summary: "The caller's name, scopes and bounds",
  responses: { 200: jsonResponse("The caller", "Caller") },
  errors: ["invalid-payload", "internal"],
  schemas: {
    Caller: object({
      name: { ...text, description: "Name of the token or pipeline" },
      scopes: { type: "array", items: { enum: scopes } },
      bounds: {
        type: "object",
        properties: { area: text, team: text, app: text },
        description: "Where the token is valid. A field that is absent is not bounded",
      },
    }),
  },
};

/** GET /whoami: for every caller, whatever the scopes. */
export const whoAmIRoute: ServerRoute = {
  method: "GET",
  path: "/whoami",
  options: { auth: "session", plugins: { openapi: operation } },
  handler(request, h) {
    readQuery(noParameters, request.query);
    const { name, scopes, bounds } = grantOf(request);
    return h.response({ name, scopes, bounds }).header("cache-control", "no-store");
  },
};
