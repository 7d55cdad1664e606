import type { Waiver } from "@maturity/client";
import { date } from "../format.ts";

/** The owner, the reason and the end of a waiver, in a line. */
export function waivedBy({ owner, reason, expires_at }: Pick<Waiver, "owner" | "reason" | "expires_at">): string {
  return `waived${expires_at === null ? "" : ` until ${date(expires_at)}`} by ${owner}: ${reason}`;
}
