import type { ServerRoute } from "@hapi/hapi";
import type { Database } from "../store/database.ts";

/** What GET /healthz can say. */
export const healthStates = ["ok", "unavailable", "stopping"] as const;

/**
 * GET /healthz: should requests be sent here? Not while the database does not answer, and not once a stop has begun.
 * GET /livez: does the process run?
 */
export function healthRoutes({ database, stopping }: { database: Database; stopping: AbortSignal }): ServerRoute[] {
  const health = async (): Promise<(typeof healthStates)[number]> => {
    if (stopping.aborted) return "stopping";
    return (await database.answers()) ? "ok" : "unavailable";
  };
  return [
    {
      method: "GET",
      path: "/healthz",
      options: { auth: false },
      async handler(_, h) {
        const status = await health();
        return h.response({ status }).code(status === "ok" ? 200 : 503);
      },
    },
    { method: "GET", path: "/livez", options: { auth: false }, handler: () => ({ status: "ok" }) },
  ];
}
