import type { Waiver } from "@maturity/client";
import { ahead, date } from "../format.ts";

/** By whom a waiver got its state, when, and with which comment. Nobody is behind an end that has passed. */
export function latestOf(waiver: Waiver): Readonly<Record<"by" | "at" | "comment", string | null>> {
  const { state, decided_by, decided_at, comment, revoked_by, revoked_at, expires_at } = waiver;
  if (state === "revoked") return { by: revoked_by, at: revoked_at, comment: null };
  if (state === "expired") return { by: null, at: expires_at, comment: null };
  return { by: decided_by, at: decided_at, comment };
}

/** Has the end passed that a waiver has, or would have had? */
export function isOver({ expires_at }: Pick<Waiver, "expires_at">): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

/** When a waiver ends or ended, or would have ended, had it been in force until then. */
export function endText({ state, expires_at }: Pick<Waiver, "state" | "expires_at">): string {
  if (expires_at === null) return "no end";
  const isInForce = state === "approved" || state === "expired";
  if (isOver({ expires_at })) return `${isInForce ? "ended" : "would have ended"} on ${date(expires_at)}`;
  if (!isInForce && state !== "requested") return `would have ended on ${date(expires_at)}`;
  return `ends ${ahead(expires_at, Date.now())}, on ${date(expires_at)}`;
}
