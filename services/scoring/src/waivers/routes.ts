import type { ServerRoute } from "@hapi/hapi";
import { decisionRoutes, type WaiverDependencies } from "./decide.ts";
import { makeWaiverRoute } from "./make.ts";
import { revokeWaiverRoute } from "./revoke.ts";
import { waiversListRoute } from "./waivers-list.ts";

/** The routes by which waivers are made, asked for, decided, listed and revoked. */
export function waiverRoutes(deps: WaiverDependencies): ServerRoute[] {
  return [
    waiversListRoute(deps.database),
    makeWaiverRoute(deps),
    ...decisionRoutes(deps),
    revokeWaiverRoute(deps.database),
  ];
}
