import type { ServerRoute } from "@hapi/hapi";
import { jsonResponse, type Operation, object, readOperation, reference } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";

/** Possible answers of GET /healthz. */
const healthStates = ["ok", "unavailable", "stopping"] as const;

const health: Operation = {
  operationId: "health",
  tags: ["read"],
  summary: "Should requests be sent here?",
  responses: {
    200: jsonResponse("The database answers, to writes and to scrapes", "Health"),
    503: jsonResponse("It does not, or not within 2 seconds, or this process is about to stop", "Health"),
  },
  errors: [],
  schemas: { Health: object({ status: { enum: healthStates } }) },
};

const live = readOperation("live", "Does the process run?", "application/json", reference("Health"));

interface HealthDependencies {
  readonly database: Database;
  /** Is a snapshot for scrapes making progress? */
  readonly snapshots: { moving(): boolean };
  readonly stopping: AbortSignal;
}

/**
 * GET /healthz: whether requests should be sent to this process. The answer is no while the database does not answer
 * writes or scrapes, and after a stop has begun. GET /livez: whether the process runs.
 */
export function healthRoutes({ database, snapshots, stopping }: HealthDependencies): ServerRoute[] {
  const tell = async (): Promise<(typeof healthStates)[number]> => {
    if (stopping.aborted) return "stopping";
    return (await works()) ? "ok" : "unavailable";
  };

  /** A long scrape may hold the only connection. While it makes progress, the connection works. */
  async function works(): Promise<boolean> {
    const scraping = snapshots.moving();
    if (database.engine === "pglite") return scraping || database.answers();
    const answers = await Promise.all([database.answers(), scraping || database.scrapesAnswer()]);
    return answers.every(Boolean);
  }

  return [
    {
      method: "GET",
      path: "/healthz",
      options: { auth: false, plugins: { openapi: health } },
      async handler(_, h) {
        const status = await tell();
        return h.response({ status }).code(status === "ok" ? 200 : 503);
      },
    },
    {
      method: "GET",
      path: "/livez",
      options: { auth: false, plugins: { openapi: live } },
      handler: () => ({ status: "ok" }),
    },
  ];
}
