import type { Answer } from "./answer.ts";
import type { CallOptions, Connection } from "./caller.ts";
import { type AuditEntry, type Listing, listing, type Query, type Waiver } from "./listing.ts";
import type { components } from "./openapi.generated.ts";

/** A waiver: what is waived, why, by which caller, and until when. With the state `requested` it asks for a decision. */
export type WaiverRequest = components["schemas"]["WaiverRequest"];

/** A new waiver, with `moved_to` if the request had a former name. */
export type MadeWaiver = components["schemas"]["MadeWaiver"];

/** What a waiver would cover, and the state that it would have. */
export type WaiverPreview = components["schemas"]["WaiverPreview"];

/** Calls for waivers and for the audit. */
export interface Deciding {
  /** Makes one waiver or one request for it, also if a retry is needed. Its `state` says which. */
  waive(waiver: WaiverRequest, options?: CallOptions): Promise<MadeWaiver>;
  /** Says what a waiver would cover now, and stores nothing. It is refused as `waive` would be. */
  previewWaiver(waiver: WaiverRequest, options?: CallOptions): Promise<WaiverPreview>;
  /** The waivers in force, the next to end first. With `state`, `all` or `decidable`, others. */
  waivers(query?: Query<"/waivers">, options?: CallOptions): Listing<Waiver>;
  /** Approves a request of another caller. Of several decisions the first counts; the others are refused as `waiver-decided`. */
  approveWaiver(id: string, decision?: { readonly comment?: string }, options?: CallOptions): Promise<Waiver>;
  /** Rejects a request of another caller, as `approveWaiver`. */
  rejectWaiver(id: string, decision: { readonly comment: string }, options?: CallOptions): Promise<Waiver>;
  /** Withdraws an own request. */
  withdrawWaiver(id: string, decision?: { readonly comment?: string }, options?: CallOptions): Promise<Waiver>;
  /** Ends an approved waiver now. An ended waiver stays as it is. */
  revokeWaiver(id: string, options?: CallOptions): Promise<Waiver>;
  /** The audit, newest first: each action with its caller; reports are no actions. */
  audit(query?: Query<"/audit">, options?: CallOptions): Listing<AuditEntry>;
}

/** These calls over a connection. */
export function decidingOf(caller: Connection): Deciding {
  const { api, call } = caller;
  // The type of an answer is that of all successes, while the query says which it is.
  const made = <Data>(answer: Promise<Answer<MadeWaiver | WaiverPreview>>) => answer as Promise<Answer<Data>>;
  return {
    waive: (body, options) =>
      call<MadeWaiver>("makes", "id", (init) => made(api.POST("/waivers", { ...init, body })), options),
    previewWaiver: (body, options) =>
      call<WaiverPreview>(
        "reads",
        "covers",
        (init) => made(api.POST("/waivers", { ...init, params: { query: { dry_run: true } }, body })),
        options,
      ),
    approveWaiver: (id, body = {}, options) =>
      call<Waiver>(
        "makes",
        "id",
        (init) => api.POST("/waivers/{id}/approve", { ...init, params: { path: { id } }, body }),
        options,
      ),
    rejectWaiver: (id, body, options) =>
      call<Waiver>(
        "makes",
        "id",
        (init) => api.POST("/waivers/{id}/reject", { ...init, params: { path: { id } }, body }),
        options,
      ),
    withdrawWaiver: (id, body = {}, options) =>
      call<Waiver>(
        "makes",
        "id",
        (init) => api.POST("/waivers/{id}/withdraw", { ...init, params: { path: { id } }, body }),
        options,
      ),
    waivers: (query, options) => listing(caller, "/waivers", query, options),
    revokeWaiver: (id, options) =>
      call<Waiver>("sets", "id", (init) => api.DELETE("/waivers/{id}", { ...init, params: { path: { id } } }), options),

    audit: (query, options) => listing(caller, "/audit", query, options),
  };
}
