import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { pino } from "pino";
import { createServer } from "../src/commands/serve/server.ts";
import { createServiceMetrics } from "../src/http/service-metrics.ts";
import { applyPolicy, noPolicy } from "../src/policy/rules.ts";
import { openDatabase } from "../src/store/database.ts";

/** Prints the API description with the scorecards that ship, and access tokens on. The database is never reached. */
const logger = pino({ level: "silent" });
const database = openDatabase("postgres://nowhere.invalid/", 1);
const engine = createEngine([security, reliability, application]);
const server = await createServer({
  config: { host: "127.0.0.1", port: 0, auth: "token", trustedProxies: [], unregistered: "accept", historyDays: 400 },
  engine,
  rules: applyPolicy(engine.scorecards, noPolicy),
  database,
  notifications: { takesStandings: false, facts: { store: async () => {} }, announceProblem: async () => "disabled" },
  metrics: createServiceMetrics(database),
  logger,
});
const { payload } = await server.inject("/openapi.json");
console.log(JSON.stringify(JSON.parse(payload), null, 2));
await database.close();
