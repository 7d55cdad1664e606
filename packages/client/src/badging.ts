import type { CallOptions, Connection } from "./caller.ts";
import { type Badge, type Listing, listing, type Query } from "./listing.ts";
import type { components } from "./openapi.generated.ts";

/** A badge to make: what it shows of which application. */
export type BadgeRequest = components["schemas"]["BadgeRequest"];

/** Calls for badges. */
export interface Badging {
  /** Makes one badge, or finds the one that shows the same, also if a retry is needed. */
  makeBadge(badge: BadgeRequest, options?: CallOptions): Promise<Badge>;
  /** Revokes a badge: its address leads nowhere, within five minutes. */
  revokeBadge(id: string, options?: CallOptions): Promise<Badge>;
  /** The badges that are not revoked. */
  badges(query?: Query<"/badges">, options?: CallOptions): Listing<Badge>;
}

/** These calls over a connection. */
export function badgingOf(caller: Connection): Badging {
  const { api, call } = caller;
  return {
    makeBadge: (body, options) => call<Badge>("makes", "id", (init) => api.POST("/badges", { ...init, body }), options),
    revokeBadge: (id, options) =>
      call<Badge>("sets", "id", (init) => api.DELETE("/badges/{id}", { ...init, params: { path: { id } } }), options),
    badges: (query, options) => listing(caller, "/badges", query, options),
  };
}
