import type { Server, ServerRoute } from "@hapi/hapi";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { readOperation } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";
import { forTokens } from "./caller.ts";
import type { Refusal } from "./refusals.ts";

/** Metrics of this process itself; scores are not among them. */
export interface ServiceMetrics {
  readonly registry: Registry;
  authenticationFailed(): void;
  /** A measure against overload was taken. */
  refused(what: Refusal): void;
}

/** Registers the metrics of the connection pools and of refusals. Those of Node are of the process that serves. */
export function createServiceMetrics(database: Database): ServiceMetrics {
  const registry = new Registry();
  new Gauge({
    name: "maturity_database_connections",
    help: "Connections of the pools by state; waiting counts the calls that have none yet.",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      const { knex: writes, decisions, scrapes, reads, lists, notifications, background } = database;
      const pools = { writes, decisions, scrapes, reads, ...(lists !== reads && { lists }), notifications, background };
      for (const [pool, { client }] of Object.entries(pools)) {
        this.set({ pool, state: "used" }, client.pool.numUsed());
        this.set({ pool, state: "free" }, client.pool.numFree());
        this.set({ pool, state: "waiting" }, client.pool.numPendingAcquires());
      }
    },
  });
  if (database.replicaLag) registerLag(registry, database.replicaLag);
  const failed = new Counter({
    name: "maturity_authentication_failures_total",
    help: "Requests with a token that is unknown, expired or revoked.",
    registers: [registry],
  });
  const refusals = new Counter({
    name: "maturity_overload_total",
    help: "Requests refused, connections closed and bodies cut off for want of room.",
    labelNames: ["what"],
    registers: [registry],
  });
  return {
    registry,
    authenticationFailed: () => failed.inc(),
    refused: (what) => refusals.inc({ what }),
  };
}

/** While nothing is known of the replica, the series are not there. */
function registerLag(registry: Registry, measure: NonNullable<Database["replicaLag"]>): void {
  const lags = {
    seconds: "For how long the replica has lacked something that the primary has; exact to a scrape interval.",
    bytes: "How much of the write-ahead log the replica has still to replay.",
  };
  for (const unit of ["seconds", "bytes"] as const) {
    new Gauge({
      name: `maturity_replica_lag_${unit}`,
      help: lags[unit],
      registers: [registry],
      async collect() {
        const lag = await measure();
        if (lag) this.set(lag[unit]);
        else this.remove();
      },
    });
  }
}

/** Measures the duration of every request by method, route and status. */
export function measureRequests(server: Server, { registry }: ServiceMetrics): void {
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "From the arrival of a request to the end of its response.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  server.events.on("response", ({ method, route, info, response }) => {
    const status = response && "statusCode" in response ? String(response.statusCode) : "aborted";
    durations.observe({ method, route: route.path, status }, (Date.now() - info.received) / 1_000);
  });
}

/** GET /metrics/service */
export function serviceMetricsRoute({ registry }: ServiceMetrics): ServerRoute {
  const openapi = readOperation("scrapeService", "Figures of this one process", "text/plain", { type: "string" });
  return {
    method: "GET",
    path: "/metrics/service",
    options: { auth: forTokens("metrics:read"), plugins: { openapi } },
    handler: async (_, h) => h.response(await registry.metrics()).type(registry.contentType),
  };
}
