import type { Sent, Unsent } from "../destination.ts";
import { type Answer, asUnreachable } from "../outwards.ts";

/**
 * The outcome of a POST by its answer. 410 ends it for ever. All else may heal, since an operator may correct it within the
 * time of the retries.
 *
 * @param message the id of the message, if it was accepted
 */
export function sentBy({ status, headers }: Answer, message: string): Sent {
  if (status >= 200 && status < 300) return { status: "sent", message };
  const reason = `HTTP status ${status}`;
  if (status === 410) return { status: "refused", reason };
  const seconds = status === 429 || status === 503 ? secondsOf(headers["retry-after"]) : 0;
  return seconds > 0 ? { status: "busy", reason, seconds } : { status: "failed", reason };
}

/** The outcome of a call without an answer. */
export function unreachable(error: unknown): Unsent {
  const { isLasting, message: reason } = asUnreachable(error);
  return { status: isLasting ? "refused" : "failed", reason };
}

/** The seconds of `Retry-After`, which is a number or a date; 0 if it is neither. */
function secondsOf(retryAfter: string | undefined): number {
  if (retryAfter === undefined) return 0;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : 0;
}
