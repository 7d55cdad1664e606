import type { ServerRoute } from "@hapi/hapi";
import type { AppsDependencies } from "./admin-transaction.ts";
import { formerNamesRoute } from "./former-names-list.ts";
import { moveRoute } from "./move.ts";
import { registryRoute } from "./registry.ts";
import { registryListRoute } from "./registry-list.ts";
import { retireRoutes } from "./retire.ts";

/** The routes by which applications are registered, moved and retired. */
export function appsRoutes(deps: AppsDependencies): ServerRoute[] {
  return [
    registryRoute(deps),
    registryListRoute(deps.database),
    moveRoute(deps),
    ...retireRoutes(deps),
    formerNamesRoute(deps.database),
  ];
}
