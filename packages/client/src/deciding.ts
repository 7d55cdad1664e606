import type { CallOptions, Connection } from "./caller.ts";
import { type AuditEntry, type Listing, listing, type Query, type Waiver } from "./listing.ts";
import type { components } from "./openapi.generated.ts";

/** A waiver: what is waived, why, by which caller, and until when. */
export type WaiverRequest = components["schemas"]["WaiverRequest"];

/** A new waiver, with `moved_to` if the request had a former name. */
export type MadeWaiver = components["schemas"]["MadeWaiver"];

/** Calls for waivers and for the audit. */
export interface Deciding {
  /** Makes one waiver, also if a retry is needed. */
  waive(waiver: WaiverRequest, options?: CallOptions): Promise<MadeWaiver>;
  /** The waivers in force, the next to end first. With `all`, also those that ended. */
  waivers(query?: Query<"/waivers">, options?: CallOptions): Listing<Waiver>;
  /** Ends a waiver now. An ended waiver stays as it is. */
  revokeWaiver(id: string, options?: CallOptions): Promise<Waiver>;
  /** The audit, newest first: each action with its caller; reports are no actions. */
  audit(query?: Query<"/audit">, options?: CallOptions): Listing<AuditEntry>;
}

/** These calls over a connection. */
export function decidingOf(caller: Connection): Deciding {
  const { api, call } = caller;
  return {
    waive: (body, options) =>
      call<MadeWaiver>("id", (init) => api.POST("/waivers", { ...init, body }), { ...options, makes: true }),
    waivers: (query, options) => listing(caller, "/waivers", query, options),
    revokeWaiver: (id, options) =>
      call<Waiver>("id", (init) => api.DELETE("/waivers/{id}", { ...init, params: { path: { id } } }), options),

    audit: (query, options) => listing(caller, "/audit", query, options),
  };
}
