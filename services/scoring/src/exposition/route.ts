import { finished } from "node:stream";
import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { forTokens, grantOf } from "../http/caller.ts";
import { deadlineOf } from "../http/deadline.ts";
import { slotOf } from "../http/limits.ts";
import { limitReader } from "../http/reader.ts";
import { querySchema, readQuery, several, targetFilter } from "../lists/query.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Operation, queryParameters } from "../openapi/operation.ts";
import { contentTypes, preferredFormat } from "./exposition.ts";
import { defaultFamilies, type Family, families } from "./series.ts";
import type { Snapshots } from "./snapshots.ts";

/** The query of GET /metrics. Each parameter may be given several times. */
const metricsQuery = querySchema({
  "collect[]": several(Joi.valid(...families))
    .default([...defaultFamilies])
    .description("Only these families; all but `rollups`, `levels` and `problem_times` if it is not given"),
  ...targetFilter,
});

const openapi: Operation = {
  operationId: "scrape",
  tags: ["read"],
  summary: "All scores and problems in the exposition format of Prometheus",
  parameters: queryParameters(metricsQuery),
  responses: {
    200: {
      description: "One consistent snapshot; roll-ups may be up to 15 seconds older",
      content: Object.fromEntries(Object.keys(contentTypes).map((type) => [type, { schema: { type: "string" } }])),
    },
  },
  errors: ["invalid-payload", "internal", "store-unavailable", "overloaded"],
};

/**
 * GET /metrics: every stored score and problem, from one snapshot that is complete before the first byte is sent.
 *
 * @param onCutOff called for each slow reader that is cut off
 */
export function metricsRoute(snapshots: Snapshots, onCutOff: () => void): ServerRoute {
  return {
    method: "GET",
    path: "/metrics",
    options: {
      auth: forTokens("metrics:read"),
      plugins: { openapi },
      timeout: { socket: false }, // until the snapshot is there, nothing moves on the connection
    },
    async handler(request, h) {
      const query = readQuery<{ "collect[]": Family[] } & TargetFilter>(metricsQuery, request.query);
      const { "collect[]": families, ...filter } = query;
      const format = preferredFormat(request.raw.req.headers.accept);
      const gzip = request.info.acceptEncoding === "gzip";
      const wanted = { format, families, filter: narrow(grantOf(request), filter) };
      const { signal } = deadlineOf(request.raw.req);
      const { body, length } = await snapshots.take(wanted, gzip, signal);
      slotOf(request.raw.req).end(); // a slow reader needs no slot
      limitReader(request.raw, length, onCutOff);
      finished(request.raw.res, () => body.destroy());
      request.info.acceptEncoding = "identity"; // hapi must not compress the body again
      const response = h.response(body).bytes(length).type(contentTypes[format]).header("cache-control", "no-store");
      return (gzip ? response.header("content-encoding", "gzip") : response).vary("accept-encoding");
    },
  };
}
