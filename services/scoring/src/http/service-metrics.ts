import type { Server, ServerRoute } from "@hapi/hapi";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { AlertCounters, AlertQueue } from "../alerts/queue.ts";
import { oneOf } from "../model/grant.ts";
import type { Database } from "../store/database.ts";
import type { Refusal } from "./load/refusals.ts";

/** What one process tells of itself; scores are not among it. */
export interface ServiceMetrics {
  readonly registry: Registry;
  readonly alerts: AlertCounters;
  authenticationFailed(): void;
  /** Something was done about too much load. */
  refused(what: Refusal): void;
}

/** Registers Node's own figures, the connection pools and the alert counters. */
export function createServiceMetrics(database: Database): ServiceMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "maturity_database_connections",
    help: "Connections of the pools by state; waiting counts the calls that have none yet.",
    labelNames: ["pool", "state"],
    registers: [registry],
    collect() {
      const { knex: writes, scrapes, alerts, background } = database;
      for (const [pool, { client }] of Object.entries({ writes, scrapes, alerts, background })) {
        this.set({ pool, state: "used" }, client.pool.numUsed());
        this.set({ pool, state: "free" }, client.pool.numFree());
        this.set({ pool, state: "waiting" }, client.pool.numPendingAcquires());
      }
    },
  });
  const sent = new Counter({
    name: "maturity_alerts_sent_total",
    help: "Alerts accepted by the chat service.",
    registers: [registry],
  });
  const dead = new Counter({
    name: "maturity_alerts_dead_total",
    help: "Alerts given up after the last try, or refused by the chat service; each is counted by one process.",
    registers: [registry],
  });
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
    alerts: { sent: () => sent.inc(), dead: () => dead.inc() },
    authenticationFailed: () => failed.inc(),
    refused: (what) => refusals.inc({ what }),
  };
}

/** Tells how many alerts wait, and how many were given up. A gauge is absent while the database does not answer. */
export function watchAlertQueue(metrics: ServiceMetrics, { pending, dead }: AlertQueue): void {
  countInDatabase(metrics, "maturity_alerts_pending", "Alerts waiting or being sent, over all processes.", pending);
  countInDatabase(metrics, "maturity_alerts_dead", "Alerts given up and not put back, over all processes.", dead);
}

function countInDatabase({ registry }: ServiceMetrics, name: string, help: string, count: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.remove();
      await count().then(
        (value) => this.set(value),
        () => {},
      );
    },
  });
}

/** Measures every request by method, route and status. */
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
  return {
    method: "GET",
    path: "/metrics/service",
    options: { auth: { access: { scope: oneOf("metrics:read") } } },
    handler: async (_, h) => h.response(await registry.metrics()).type(registry.contentType),
  };
}
