import type { ServerRoute } from "@hapi/hapi";
import type { Engine } from "@maturity/core";
import type { FactStore } from "../model/fact.ts";
import type { Database } from "../store/database.ts";
import { decisionRoutes } from "./decide.ts";
import { makeWaiverRoute } from "./make.ts";
import { revokeWaiverRoute } from "./revoke.ts";
import { waiversListRoute } from "./waivers-list.ts";

/** The routes by which waivers are made, asked for, decided, listed and revoked. */
export function waiverRoutes(deps: { engine: Engine; database: Database; facts: FactStore }): ServerRoute[] {
  return [
    waiversListRoute(deps.database),
    makeWaiverRoute(deps),
    ...decisionRoutes(deps),
    revokeWaiverRoute(deps.database),
  ];
}
