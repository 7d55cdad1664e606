import { Readable } from "node:stream";
import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import Joi from "joi";
import { narrow, oneOf } from "../auth/grant.ts";
import { grantOf } from "../auth/scheme.ts";
import { invalidPayload } from "../errors.ts";
import { contentTypes, exposition } from "../exposition/exposition.ts";
import { type Family, families } from "../exposition/families.ts";
import { askedFormat } from "../exposition/format.ts";
import { faults, name, strict } from "../fields.ts";
import type { Database } from "../store/database.ts";
import { type ScrapeFilter, takeSnapshot } from "../store/scrape.ts";

/** A scrape that takes longer is broken off, so that a scraper which stops reading frees the connection it holds. */
const scrapeLimitMs = 60_000;

const names = Joi.array().items(name(200)).single();

/** The query of GET /metrics. Each parameter may be given several times. */
export const metricsQuery: Joi.ObjectSchema = Joi.object({
  "collect[]": Joi.array()
    .items(Joi.valid(...families))
    .single()
    .default([...families])
    .description("Only these families"),
  area: names.description("Only these areas"),
  team: names.description("Only these teams"),
  app: names.description("Only these apps"),
  env: names.description("Only these environments"),
}).prefs({ ...strict, convert: true });

/** GET /metrics: every stored score and problem, streamed from one snapshot. */
export function metricsRoute({ engine, database }: { engine: Engine; database: Database }): ServerRoute {
  return {
    method: "GET",
    path: "/metrics",
    options: {
      auth: { access: { scope: oneOf("metrics:read") } },
      compression: { gzip: { level: 1 } },
      timeout: { socket: scrapeLimitMs },
    },
    async handler(request, h) {
      const { value, error } = metricsQuery.validate(request.query);
      if (error) throw invalidPayload(faults(error));
      const { "collect[]": collect, ...filter }: { "collect[]": Family[] } & ScrapeFilter = value;
      const format = askedFormat(request.raw.req.headers.accept);
      const snapshot = await takeSnapshot(database, narrow(grantOf(request), filter));
      let complete = false;
      const body = Readable.from(scrape(), { objectMode: false, signal: AbortSignal.timeout(scrapeLimitMs) });
      // Not in the generator: of an answer that nobody reads, as to HEAD, it never starts.
      body.once("close", () => snapshot.close(complete).catch((error) => request.log(["error"], error)));
      return h.response(body).type(contentTypes[format]).header("cache-control", "no-store");

      async function* scrape(): AsyncGenerator<string | Uint8Array> {
        yield* exposition(new Set(collect), engine, snapshot.samples, format);
        complete = true;
      }
    },
  };
}
