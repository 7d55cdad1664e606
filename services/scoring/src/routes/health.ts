import type { ServerRoute } from "@hapi/hapi";
import type { Database } from "../store/database.ts";

/** How long the database may take to answer a health check, in milliseconds. */
const healthPatienceMs = 1_500;

/** GET /healthz: does the database answer? GET /livez: does the process run? */
export function healthRoutes({ database }: { database: Database }): ServerRoute[] {
  return [
    {
      method: "GET",
      path: "/healthz",
      options: { auth: false },
      handler: async (_, h) =>
        (await answers(database)) ? { status: "ok" } : h.response({ status: "unavailable" }).code(503),
    },
    { method: "GET", path: "/livez", options: { auth: false }, handler: () => ({ status: "ok" }) },
  ];
}

async function answers({ knex }: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), healthPatienceMs);
  });
  const query = knex.raw("SELECT 1").then(
    () => true,
    () => false,
  );
  const healthy = await Promise.race([query, patience]);
  clearTimeout(timer);
  return healthy;
}
