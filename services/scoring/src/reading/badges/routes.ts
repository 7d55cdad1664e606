import type { ServerRoute } from "@hapi/hapi";
import { createBadgeAddresses } from "./address.ts";
import { badgesListRoute } from "./badges-list.ts";
import { type BadgeSources, createBadgeReader } from "./content.ts";
import { badgeImageRoutes } from "./image.ts";
import { makeBadgeRoute } from "./make.ts";
import { revokeBadgeRoute } from "./revoke.ts";

/** The routes by which badges are made, listed, revoked and shown. */
export function badgeRoutes({ database, rules }: BadgeSources): ServerRoute[] {
  const addresses = createBadgeAddresses(database.knex);
  const writing = { database, addresses, scorecards: rules.scorecards };
  return [
    badgesListRoute(database, addresses),
    makeBadgeRoute(writing),
    revokeBadgeRoute(writing),
    ...badgeImageRoutes(addresses, createBadgeReader({ database, rules })),
  ];
}
