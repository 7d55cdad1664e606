import type { ServerRoute } from "@hapi/hapi";
import type { Snapshots } from "../exposition/snapshots.ts";
import type { Database } from "../store/database.ts";

/** What GET /healthz can say. */
export const healthStates = ["ok", "unavailable", "stopping"] as const;

interface HealthDependencies {
  readonly database: Database;
  readonly snapshots: Snapshots;
  readonly stopping: AbortSignal;
}

/**
 * GET /healthz: should requests be sent here? Not while the database answers no write or no scrape, and not once a stop has
 * begun. GET /livez: does the process run?
 */
export function healthRoutes({ database, snapshots, stopping }: HealthDependencies): ServerRoute[] {
  const health = async (): Promise<(typeof healthStates)[number]> => {
    if (stopping.aborted) return "stopping";
    return (await works()) ? "ok" : "unavailable";
  };

  /** A long scrape may have the only connection; while it gets on, its connection works. */
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
      options: { auth: false },
      async handler(_, h) {
        const status = await health();
        return h.response({ status }).code(status === "ok" ? 200 : 503);
      },
    },
    { method: "GET", path: "/livez", options: { auth: false }, handler: () => ({ status: "ok" }) },
  ];
}
