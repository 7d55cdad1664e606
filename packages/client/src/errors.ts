import type { components } from "./openapi.generated.ts";

type ErrorAnswer = components["schemas"]["Error"];

/** A fault of a request: its path (`raw.critical`, `details[2].line`, empty for the whole body), and what would be right. */
export type Fault = NonNullable<ErrorAnswer["details"]>[number];

/** The error codes of the service. A later service may have more. */
export type ServiceErrorCode = ErrorAnswer["code"];

/** The error codes of failures outside the service. */
export type ClientErrorCode =
  /** No answer: the address is wrong, the network or the service is down, or it took too long. */
  | "unreachable"
  /** The answer of another program: a proxy, a redirect, a login page. */
  | "unexpected-answer"
  /** The option `url` is no address of a service. */
  | "invalid-url"
  /** The token cannot stand in a header. */
  | "invalid-token"
  /** A time limit is not a number above 0. */
  | "invalid-time-limit";

export type ErrorCode = ServiceErrorCode | ClientErrorCode;

/** The failure of an attempt. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly details?: readonly Fault[];
  readonly cause?: unknown;
  /** Present if the next attempt may succeed: the milliseconds that the service asks to wait, or 0. */
  readonly retryAfterMs?: number;
  /** Whether the service may have done the work nevertheless. */
  readonly inDoubt?: boolean;
}

/** The statuses of passing failures: too many requests, and a proxy whose service is away. */
export const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The error of every failed call. No message, detail or cause holds the token. */
export class MaturityClientError extends Error {
  override readonly name = "MaturityClientError";
  /** Stable. If the service answered, it is the code of the service. */
  readonly code: ErrorCode;
  /** HTTP status of the answer. Absent without an answer. */
  readonly status?: number;
  /** The faults that the service found, at most 100, in the order of the input. */
  readonly details: readonly Fault[];
  /** Number of attempts. */
  readonly attempts: number;
  /** The number of entries at the beginning of a list that are stored nevertheless. */
  readonly stored: number;
  /** Whether the service may have done the work nevertheless, because an answer was lost. */
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
