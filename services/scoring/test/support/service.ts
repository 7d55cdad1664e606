import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import type { Server } from "@hapi/hapi";
import { application } from "@maturity/application";
import { type AppliesRule, createEngine, type Engine, type Level } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { type Logger, pino } from "pino";
import { inject, onTestFinished } from "vitest";
import type { OidcConfig } from "../../src/auth/oidc-config.ts";
import { createServer } from "../../src/commands/serve/server.ts";
import { createServiceMetrics, type ServiceMetrics } from "../../src/http/service-metrics.ts";
import type { AuthMode } from "../../src/model/grant.ts";
import type { Unregistered } from "../../src/model/unregistered.ts";
import { type ChatConfig, chatSettings } from "../../src/notifications/chat-settings.ts";
import { type Notifications, type Pace, startNotifications } from "../../src/notifications/notifications.ts";
import type { NotifySettings } from "../../src/notifications/routes.ts";
import { applyPolicy, noPolicy } from "../../src/policy/rules.ts";
import { type Database, openDatabase, openPGlite } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { query, withDatabase } from "./postgres.ts";

export const engines = ["postgres", "pglite"] as const;

/** Each engine, and time zones of sessions: UTC, west of it, and east of it by half an hour more. */
export const enginesInZones: readonly (readonly [kind: (typeof engines)[number], zone: string])[] = [
  ...["UTC", "America/New_York", "Asia/Kolkata"].map((zone) => ["postgres", zone] as const),
  ["pglite", "America/New_York"],
];

/** The engine of the service as it ships. */
export const shippedEngine: Engine = createEngine([security, reliability, application]);

/** A running service, taken down when the test, or the file's `afterAll`, is done with it. */
export interface TestService {
  readonly server: Server;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly metrics: ServiceMetrics;
  readonly notifications: Notifications;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  readonly databaseUrl?: string;
  /** The time zone that every connection ends up with, whatever it asked for, as behind a pooler that loses settings. */
  readonly zone?: string;
  /** Of a replica. */
  readonly readUrl?: string;
  readonly engine?: Engine;
  /** By default bronze, silver and gold. */
  readonly levels?: readonly Level[];
  /** By default all metrics apply to all. */
  readonly applies?: readonly AppliesRule[];
  readonly chat?: ChatConfig;
  /** Where notifications go; by default to the chat alone. */
  readonly notify?: NotifySettings;
  /** By default notifications follow each other without rest. */
  readonly pace?: Pace;
  readonly auth?: AuthMode;
  readonly oidc?: OidcConfig;
  readonly trustedProxies?: readonly string[];
  readonly historyDays?: number;
  /** By default all reports are accepted. */
  readonly unregistered?: Unregistered;
  /** The files of the Board; null for none. By default a page that is there for the tests. */
  readonly board?: URL | null;
  readonly logger?: Logger;
}

const testBoard = new URL("board/", import.meta.url);

/** A database of its own: a clone of the migrated one, or an embedded one in memory. */
export async function createDatabase(kind: (typeof engines)[number]): Promise<string> {
  if (kind === "pglite") return "pglite::memory:";
  const url = inject("postgresUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await query(url, `CREATE DATABASE ${name} TEMPLATE maturity_template`);
  return withDatabase(url, name);
}

/** The service as `main.ts` composes it, not listening; `server.inject` drives it. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const { databaseUrl = await createDatabase("postgres"), engine = shippedEngine, chat } = options;
  const logger = options.logger ?? pino({ level: "silent" });
  const database = await open(databaseUrl, options.readUrl);
  if (options.zone !== undefined) setZone(database, options.zone);
  await migrate(database);
  const metrics = createServiceMetrics(database);
  const { registry } = metrics;
  const { notify: settings = chat && chatSettings(chat), pace = { rest: 0, poll: 0.02 } } = options;
  const notifications = startNotifications({ database, settings, registry, logger, pace });
  const server = await createServer({
    config: {
      host: "127.0.0.1",
      port: 0,
      auth: options.auth ?? "none",
      trustedProxies: options.trustedProxies ?? [],
      historyDays: options.historyDays ?? 400,
      unregistered: options.unregistered ?? "accept",
    },
    oidc: options.oidc,
    board: options.board === null ? undefined : (options.board ?? testBoard),
    engine,
    rules: {
      scorecards: engine.scorecards,
      levels: options.levels ?? applyPolicy(engine.scorecards, noPolicy).levels,
      applies: options.applies ?? [],
    },
    database,
    notifications,
    metrics,
    logger,
  });
  await server.initialize();
  return {
    server,
    database,
    databaseUrl,
    metrics,
    notifications,
    async stop() {
      await server.stop({ timeout: 1_000 });
      await notifications.stop(1_000);
      await database.close();
    },
  };
}

async function open(databaseUrl: string, readUrl: string | undefined): Promise<Database> {
  if (databaseUrl !== "pglite::memory:") return openDatabase(databaseUrl, 10, readUrl);
  // Only a run that has PostgreSQL for all its tests has a template, too.
  const template: string | undefined = inject("pgliteTemplate");
  return openPGlite({ pglite: new PGlite(template === undefined ? {} : { loadDataDir: await openAsBlob(template) }) });
}

function setZone({ knex, decisions, scrapes, reads, lists, notifications, background }: Database, zone: string): void {
  for (const { client } of new Set([knex, decisions, scrapes, reads, lists, notifications, background])) {
    client.pool.on("createSuccess", (_: number, connection: { query(sql: string): Promise<unknown> }) =>
      connection.query(`SET TimeZone = '${zone}'`),
    );
  }
}

/** `startService` for one test. */
export async function useService(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startService(options);
  onTestFinished(() => service.stop());
  return service;
}

/** Waits until it holds. The test's own time limit ends it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(5); // and leaves the processor to what is waited for
}
