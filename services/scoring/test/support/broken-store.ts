import { pino } from "pino";
import { onTestFinished } from "vitest";
import { createServer } from "../../src/commands/serve/server.ts";
import { createServiceMetrics } from "../../src/http/service-metrics.ts";
import { startNotifications } from "../../src/notifications/notifications.ts";
import { openDatabase } from "../../src/store/database.ts";
import { freePort, query } from "./postgres.ts";
import type { Server } from "./requests.ts";
import { createDatabase, shippedEngine, useService } from "./service.ts";

/** Services whose database is not there, by how it went. Each for one test. */
export const brokenStores: Readonly<Record<string, () => Promise<Server>>> = {
  "a database that was dropped": async () => {
    const databaseUrl = await createDatabase("postgres");
    const service = await useService({ databaseUrl });
    await service.database.knex.raw("SELECT 1");
    const name = new URL(databaseUrl).pathname.slice(1);
    await query(
      Object.assign(new URL(databaseUrl), { pathname: "/postgres" }).href,
      `DROP DATABASE ${name} WITH (FORCE)`,
    );
    return service;
  },
  "a port where nothing listens": async () => {
    const database = openDatabase(`postgres://hunter2:hunter2@127.0.0.1:${await freePort()}/hunter2`, 10);
    onTestFinished(() => database.close());
    const metrics = createServiceMetrics(database);
    const logger = pino({ level: "silent" });
    const server = await createServer({
      config: {
        host: "127.0.0.1",
        port: 0,
        auth: "none",
        trustedProxies: [],
        unregistered: "accept",
        historyDays: 400,
      },
      engine: shippedEngine,
      rules: { scorecards: shippedEngine.scorecards, levels: [], applies: [] },
      database,
      notifications: startNotifications({ database, settings: undefined, registry: metrics.registry, logger }),
      metrics,
      logger,
    });
    return { server };
  },
  "an embedded database that was closed": async () => {
    const service = await useService({ databaseUrl: "pglite::memory:" });
    await service.database.close();
    return service;
  },
};
