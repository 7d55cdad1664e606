import type { ServerRoute } from "@hapi/hapi";
import packageJson from "../../package.json" with { type: "json" };
import { type Json, jsonResponse, type Operation, object, readOperation, reference } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";

const unavailable: Json = { const: "unavailable" };

const healthSchema = object(
  { status: { enum: ["ok", "unavailable", "stopping"] } },
  {
    reads: {
      ...unavailable,
      description:
        "With a replica for reads: it does not answer, or follows the primary no more, so scrapes and roll-ups fail",
    },
    writes: {
      ...unavailable,
      description: "With a replica for reads: the primary does not answer, or reports may not write their tables there",
    },
  },
);

const health: Operation = {
  operationId: "health",
  tags: ["read"],
  summary: "Should requests be sent here?",
  responses: {
    200: jsonResponse(
      "Reports may write their tables in the database, of two the primary, and scrapes may read theirs",
      "Health",
    ),
    503: jsonResponse(
      "They may not, or the database does not answer in time, or this process is about to stop",
      "Health",
    ),
  },
  errors: [],
  schemas: { Health: healthSchema },
};

const live: Operation = {
  ...readOperation("live", "Does the process run, and of which version?", "application/json", reference("Life")),
  schemas: {
    Life: object({ status: { const: "ok" }, version: { type: "string", description: "Version of the service" } }),
  },
};

interface HealthDependencies {
  readonly database: Database;
  /** Whether a snapshot for scrapes is making progress. */
  readonly snapshots: { moving(): boolean };
  readonly stopping: AbortSignal;
}

/**
 * GET /healthz: whether requests should be sent to this process. The answer is no while reports may not write their
 * tables or scrapes may not read theirs, and after a stop has begun. A replica that is not read from is shown, but leaves
 * the answer at yes: all instances read from it, so that a balancer would end the writes too. GET /livez: whether the
 * process runs, and its version.
 */
export function healthRoutes({ database, snapshots, stopping }: HealthDependencies): ServerRoute[] {
  const check = async () => {
    if (stopping.aborted) return { status: "stopping" };
    const { reads, writes } = await works();
    if (!database.replicaLag) return { status: reads && writes ? "ok" : "unavailable" };
    return {
      status: writes ? "ok" : "unavailable",
      ...(!reads && { reads: "unavailable" }),
      ...(!writes && { writes: "unavailable" }),
    };
  };

  /** A long scrape may hold the only connection. While it makes progress, the connection works. */
  async function works(): Promise<{ reads: boolean; writes: boolean }> {
    const scraping = snapshots.moving();
    if (database.engine === "pglite") {
      const answers = scraping || (await database.answers());
      return { reads: answers, writes: answers };
    }
    const [writes, reads] = await Promise.all([database.answers(), scraping || database.scrapesAnswer()]);
    return { reads, writes };
  }

  return [
    {
      method: "GET",
      path: "/healthz",
      options: { auth: false, plugins: { openapi: health } },
      async handler(_, h) {
        const health = await check();
        return h.response(health).code(health.status === "ok" ? 200 : 503);
      },
    },
    {
      method: "GET",
      path: "/livez",
      options: { auth: false, plugins: { openapi: live } },
      handler: () => ({ status: "ok", version: packageJson.version }),
    },
  ];
}
