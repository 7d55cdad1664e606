export type { ClaimRule } from "./auth/claim-rules.ts";
export { type Issuer, type OidcConfig, parseOidcConfig } from "./auth/oidc-config.ts";
export { loadScorecards, ScorecardLoadError } from "./commands/scorecards.ts";
export { type ChatConfig, type Config, ConfigError, parseConfig } from "./config.ts";
export { createServiceMetrics, type ServiceMetrics } from "./http/service-metrics.ts";
export type { ServiceErrorCode } from "./model/errors.ts";
export { createServer, type ServerDependencies } from "./server.ts";
export { type Database, openDatabase } from "./store/database.ts";
export { migrate, NewerDatabaseError } from "./store/migrate.ts";
