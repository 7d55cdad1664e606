import type { ServerRoute } from "@hapi/hapi";
import { wholeGrantOf } from "../http/caller.ts";
import { querySchema, readQuery } from "../lists/query.ts";
import { scopes, shownGrant } from "../model/grant.ts";
import { jsonResponse, type Operation, object, text } from "../openapi/operation.ts";

const noParameters = querySchema({});

const granted = { type: "array", items: { enum: scopes } };

const operation: Operation = {
  operationId: "whoAmI",
  tags: ["read"],
  summary: "The caller's name, scopes and bounds, and the rules that grant them",
  responses: { 200: jsonResponse("The caller", "Caller") },
  errors: ["invalid-payload", "internal"],
  schemas: {
    Caller: object({
      name: { ...text, description: "Name of the token, pipeline or person" },
      scopes: { ...granted, description: "The scopes of all grants" },
      grants: {
        type: "array",
        minItems: 1,
        items: object(
          {
            scopes: granted,
            bounds: {
              type: "object",
              properties: { area: text, team: text, app: text },
              description: "Where the scopes are valid. A field that is absent is not bounded",
            },
          },
          { rule: { ...text, description: "The rule of OIDC_CONFIG that grants them, such as `issuers[0].rules[1]`" } },
        ),
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
    return h.response(shownGrant(wholeGrantOf(request))).header("cache-control", "no-store");
  },
};
