import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import {
  server as createHapiServer,
  type Request,
  type ResponseObject,
  type Server,
  type ServerRoute,
} from "@hapi/hapi";
import inert from "@hapi/inert";
import type { Engine } from "@maturity/core";
import hapiPino from "hapi-pino";
import type { Logger } from "pino";
import { appsRoutes } from "../../apps/routes.ts";
import type { OidcConfig } from "../../auth/oidc-config.ts";
import { registerAuth } from "../../auth/scheme.ts";
import { boardRoutes } from "../../board/routes.ts";
import { createCampaignReader } from "../../campaigns/campaign-reader.ts";
import { campaignRoutes } from "../../campaigns/routes.ts";
import { metricsRoute } from "../../exposition/route.ts";
import { createSnapshots } from "../../exposition/snapshots.ts";
import { historyRoutes } from "../../history/routes.ts";
import { noPayload } from "../../http/body.ts";
import { createAddressReader, rememberAddresses } from "../../http/caller-address.ts";
import { docsRoutes, redirect } from "../../http/docs.ts";
import { registerErrors } from "../../http/errors.ts";
import { healthRoutes } from "../../http/health.ts";
import { limitLoad, processLimits, slotOf } from "../../http/limits.ts";
import { answerBadRequests, PlainResponse } from "../../http/no-sniffing.ts";
import { silenceLimitMs } from "../../http/reader.ts";
import { overloadLog, type Refusal, unauthorizedLog } from "../../http/refusals.ts";
import { measureRequests, type ServiceMetrics, serviceMetricsRoute } from "../../http/service-metrics.ts";
import { createStreams } from "../../lists/streams.ts";
import { ServiceError } from "../../model/errors.ts";
import type { Notifications } from "../../notifications/notifications.ts";
import { openapiDocument, openapiRoute } from "../../openapi/document.ts";
import type { Rules } from "../../policy/rules.ts";
import { badgeRoutes } from "../../reading/badges/routes.ts";
import { readingRoutes } from "../../reading/routes.ts";
import { reportRoutes } from "../../report/routes.ts";
import { createRecordedDays } from "../../rollups/recorded-days.ts";
import { createRollUpReader } from "../../rollups/roll-ups.ts";
import { createTrendReader } from "../../rollups/trends.ts";
import type { Database } from "../../store/database.ts";
import { waiverRoutes } from "../../waivers/routes.ts";
import type { Config } from "../config.ts";

/** Time limit for a request to arrive completely, in milliseconds. Then its connection is closed. */
const requestLimitMs = 10_000;

/**
 * How long an idle connection stays open, in milliseconds. Load balancers close theirs earlier, so none sends a request
 * on a connection that the service is closing. Google's load balancers keep a connection for 600 s, those of AWS for 60 s:
 * https://cloud.google.com/load-balancing/docs/https#timeouts_and_retries
 */
const keepAliveMs = 620_000;

/** The dependencies of the server. */
export interface ServerDependencies {
  readonly config: Pick<Config, "host" | "port" | "auth" | "trustedProxies" | "historyDays" | "unregistered">;
  readonly engine: Engine;
  /** The rules in force, with the scorecards of the engine. */
  readonly rules: Rules;
  readonly database: Database;
  /** The accepted issuers of ID tokens; needed if `auth` has `oidc`. */
  readonly oidc?: OidcConfig | undefined;
  readonly notifications: Pick<Notifications, "facts" | "takesStandings" | "announceProblem">;
  /** The folder of the files of the Board; without it there is no Board. */
  readonly board?: URL | undefined;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
  /** Aborted when the process is about to stop, so that callers move to another instance. */
  readonly stopping?: AbortSignal;
}

/** Creates the server with all its routes. It does not listen yet. */
export async function createServer(deps: ServerDependencies): Promise<Server> {
  const { config, oidc, engine, rules, database, notifications, board, metrics, logger } = deps;
  const { stopping = new AbortController().signal } = deps;
  const addressOf = createAddressReader(config.trustedProxies);
  const server = createHapiServer({
    host: config.host,
    port: config.port,
    debug: false,
    listener: createListener(),
    mime: { override: { "application/x-ndjson": { compressible: true, type: "application/x-ndjson" } } },
    routes: {
      // hapi parses no cookie: an ill-formed cookie, which another service of the host may have set, must fail no request.
      state: { parse: false, failAction: "ignore" },
      response: { ranges: false }, // two ranges could come from two different snapshots
    },
  });
  await server.register([
    inert,
    {
      plugin: hapiPino,
      options: {
        instance: logger,
        logEvents: ["response", "request-error"],
        logRequestComplete: ({ response }: Request) =>
          "statusCode" in response && response.statusCode >= 400 && !isLogged(response),
        getChildBindings: ({ info, raw, method, path }: Request) => ({
          request: info.id,
          from: addressOf(raw.req),
          method,
          path,
        }),
        ignoredEventTags: { log: ["client"] }, // a client that closes its connection is no fault of the service
      },
    },
  ]);
  const logUnauthorized = unauthorizedLog(logger);
  const noteRefusal = ({ raw, method, path }: Request, reason: string) =>
    logUnauthorized(addressOf(raw.req), { method, path, reason });
  const sessions = registerAuth(server, {
    mode: config.auth,
    takesSessions: board !== undefined,
    database,
    oidc,
    onRefusal(request, reason) {
      if (request.raw.req.headers.authorization !== undefined) metrics.authenticationFailed();
      noteRefusal(request, reason);
    },
  });
  const onWrongToken = (request: Request, reason: string) => {
    metrics.authenticationFailed();
    noteRefusal(request, reason);
  };
  closeConnectionsOnce(server, stopping);
  const log = overloadLog(logger);
  const onRefusal = (refusal: Refusal) => {
    metrics.refused(refusal);
    log(refusal);
  };
  limitLoad(server.listener, processLimits, onRefusal);
  const sources = {
    rollUps: createRollUpReader(database, rules),
    days: createRecordedDays(database),
    trends: createTrendReader(database),
  };
  const campaigns = createCampaignReader(database, sources.rollUps, rules);
  const snapshots = createSnapshots({ rules, database, rollUps: sources.rollUps }, () => onRefusal("scrape_cut_off"));
  giveReadsSlots(server);
  answerBadRequests(server.listener);
  registerErrors(server, () => onRefusal("request_refused"));
  measureRequests(server, metrics);
  server.app.streams = createStreams(() => onRefusal("stream_cut_off"));
  server.app.lists = database.lists;
  const hasHistory = config.historyDays > 0;
  const routes: ServerRoute[] = [
    ...reportRoutes({
      ...{ ...config, engine, database, announceProblem: notifications.announceProblem },
      announces: notifications.takesStandings,
    }),
    ...appsRoutes({ database, hasHistory, rules }),
    ...readingRoutes({ engine, rules, database, sources }),
    ...historyRoutes({ engine, applies: rules.applies, database, sources, historyDays: config.historyDays }),
    ...waiverRoutes({ engine, database, facts: notifications.facts }),
    ...campaignRoutes({ database, rules, campaigns }),
    ...badgeRoutes({ database, rules }),
    metricsRoute(snapshots, () => onRefusal("scrape_cut_off")),
    serviceMetricsRoute(metrics),
    ...healthRoutes({ database, snapshots, stopping }),
    openapiRoute(() => description),
    ...docsRoutes(),
    ...(board
      ? boardRoutes(board, { sessions, signIn: oidc?.signIn, onWrongToken, database, logger })
      : [redirect("/", "docs/")]),
  ];
  const description = openapiDocument(routes, config.auth);
  server.route(routes);
  server.route(otherMethods(server));
  return server;
}

/** Says whether the log counts answers of this kind, or has the error of this one in a line already. */
function isLogged({ statusCode, source }: ResponseObject): boolean {
  const hasCode = typeof source === "object" && source !== null && "code" in source;
  return statusCode === 401 || (statusCode >= 500 && hasCode);
}

function createListener(): HttpServer {
  const listener = createHttpServer({
    ServerResponse: PlainResponse,
    requestTimeout: requestLimitMs,
    connectionsCheckingInterval: requestLimitMs / 5,
    keepAliveTimeout: keepAliveMs,
  });
  listener.setTimeout(silenceLimitMs);
  rememberAddresses(listener);
  return listener;
}

/** Gives a read its slot after authentication, so that a caller with a wrong token or without any takes none. */
function giveReadsSlots(server: Server): void {
  server.ext("onPostAuth", async ({ method, raw, route }, h) => {
    if (method !== "get" && method !== "head") return h.continue;
    const slot = slotOf(raw.req);
    const auth: unknown = route.settings.auth; // false where nobody is identified, though its type does not say so
    if (auth === false) slot.open();
    else await slot.begin();
    return h.continue;
  });
}

/**
 * Closes the connection with each answer while the process stops, so that the next request goes to another instance.
 * The server's stop ends the connections without a request. A request that was on its way then gets no answer, so it is
 * not begun.
 */
function closeConnectionsOnce(server: Server, stopping: AbortSignal): void {
  server.ext("onRequest", ({ raw }, h) => {
    if (!raw.req.socket.writableEnded) return h.continue;
    raw.req.destroy();
    return h.abandon;
  });
  server.ext("onPreResponse", ({ raw }, h) => {
    if (stopping.aborted) raw.res.setHeader("connection", "close");
    return h.continue;
  });
}

/** The routes that answer 405 to the methods that a path does not take. */
function otherMethods(server: Server): ServerRoute[] {
  const methods = Map.groupBy(server.table(), ({ path }) => path);
  return [...methods].map(([path, routes]) => {
    const allowed = routes.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
    const allow = allowed.join(", ");
    return {
      method: "*",
      path,
      options: { auth: false, payload: noPayload },
      handler: () => {
        throw new ServiceError("method-not-allowed", `${path} takes ${allow}`, { headers: { allow } });
      },
    };
  });
}
