import type { components } from "./openapi.generated.ts";

type ErrorAnswer = components["schemas"]["Error"];

/** One fault of a request: where (`raw.critical`, `details[2].line`, empty for the whole body), and what would be right. */
export type Fault = NonNullable<ErrorAnswer["details"]>[number];

/** What the service refuses with. A later service may know more. */
export type ServiceErrorCode = ErrorAnswer["code"];

/** What goes wrong before the service, or on the way to it. */
export type ClientErrorCode =
  /** No answer: the address is wrong, the network or the service is down, or it took too long. */
  | "unreachable"
  /** An answer, but none of the service: a proxy's, a redirect, a login page. */
  | "unexpected-answer"
  /** The address handed in is none of a service. */
  | "invalid-url"
  /** The token handed in cannot stand in a header. */
  | "invalid-token"
  /** A time limit handed in is no time. */
  | "invalid-time-limit";

export type ErrorCode = ServiceErrorCode | ClientErrorCode;

/** What an attempt failed with. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly details?: readonly Fault[];
  readonly cause?: unknown;
  /** Present when the next attempt may succeed: the milliseconds the service asks to wait, 0 where it asks for none. */
  readonly retryAfterMs?: number;
  /** Whether the service may have done what it was asked for, all the same. */
  readonly inDoubt?: boolean;
}

/** The statuses of what passes: too many requests, and what a proxy answers while the service behind it is away. */
export const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Every error of the client. No message, detail or cause ever holds the token. */
export class MaturityClientError extends Error {
  override readonly name = "MaturityClientError";
  /** Stable; the service's own where it answered. */
  readonly code: ErrorCode;
  /** HTTP status of the answer; absent when there was none. */
  readonly status?: number;
  /** Every fault the service found, in the order of the input. */
  readonly details: readonly Fault[];
  /** How often it was tried. */
  readonly attempts: number;
  /** Of a list of scores, how many of its first are stored all the same. */
  readonly stored: number;
  /** Whether the service may have done what it was asked for, all the same: it never said that it did not. */
  readonly inDoubt: boolean;

  constructor(failure: Failure, attempts = 1, stored = 0) {
    const { code, message, status, details = [], cause, inDoubt = false } = failure;
    super(attempts > 1 ? `${message} (${attempts} attempts)` : message, cause === undefined ? undefined : { cause });
    this.code = code;
    if (status !== undefined) this.status = status;
    this.details = details;
    this.attempts = attempts;
    this.stored = stored;
    this.inDoubt = inDoubt;
  }

  /** Whether there was no answer, or the service is unavailable, so that the same call may succeed later. */
  get isOutage(): boolean {
    if (this.code === "unexpected-answer") return (this.status ?? 0) >= 500 || this.status === 429;
    return this.code === "unreachable" || passing.has(this.status ?? 0);
  }
}
