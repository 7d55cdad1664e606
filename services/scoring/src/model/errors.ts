import type { EngineErrorCode, Fault } from "@maturity/core";
import { CodedError, summaryOf } from "@maturity/core/wire";

/** The error codes of the service, including those of the engine. Codes are stable; messages may be reworded. */
export type ServiceErrorCode =
  | Exclude<EngineErrorCode, "invalid-scorecard">
  | "invalid-payload"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "app-exists"
  | "app-retired"
  | "app-unregistered"
  | "too-many-waivers"
  | "waiver-decided"
  | "too-many-campaigns"
  | "idempotency-key-reused"
  | "too-many-changes"
  | "payload-too-large"
  | "unsupported-media-type"
  | "issuer-unavailable"
  | "store-unavailable"
  | "overloaded"
  | "internal";

/** The status and the meaning of each error; `retryAfter` is in seconds, where a retry helps. */
export const errorTable: Readonly<Record<ServiceErrorCode, { status: number; when: string; retryAfter?: number }>> = {
  "invalid-payload": { status: 400, when: "malformed JSON, too many values, or a missing, unknown or ill-typed field" },
  "unknown-scorecard": { status: 400, when: "no such scorecard is installed; the message lists those that are" },
  "unknown-metric": { status: 400, when: "the scorecard has no such metric; the message lists those it has" },
  "invalid-raw": { status: 400, when: "`raw` does not fit the metric" },
  unauthorized: { status: 401, when: "the token is missing, unknown, expired, revoked or made for another service" },
  forbidden: { status: 403, when: "the token lacks the scope, or its bounds exclude this area, team or app" },
  "app-unregistered": {
    status: 403,
    when: "nobody registered the application, and the service refuses what is not registered; the message has the nearest name",
  },
  "not-found": { status: 404, when: "nothing has this path, name or id" },
  "method-not-allowed": { status: 405, when: "the path takes other methods; `Allow` lists them" },
  "app-exists": { status: 409, when: "an application, team or area has this name already; nothing is changed" },
  "app-retired": { status: 409, when: "the application is retired; the message says how to bring it back" },
  "too-many-waivers": {
    status: 409,
    when: "the area, the caller or the service has the largest number of waivers or requests already; nothing is changed",
  },
  "waiver-decided": {
    status: 409,
    when: "the waiver is in another state by now; the message says which, since when and by whom",
  },
  "too-many-campaigns": {
    status: 409,
    when: "there is the largest number of campaigns that are not archived already; nothing is changed",
  },
  "payload-too-large": { status: 413, when: "the body is over 1 MiB" },
  "unsupported-media-type": { status: 415, when: "the body is not application/json, or compressed in an unknown way" },
  "idempotency-key-reused": {
    status: 422,
    when: "the same `Idempotency-Key` came with another request; nothing is made",
  },
  "too-many-changes": {
    status: 429,
    when: "this signed-in person made too many changes within a minute; nothing is changed",
    retryAfter: 10,
  },
  "scorer-failed": { status: 500, when: "a scorer failed; nothing is stored" },
  internal: { status: 500, when: "a fault of the service itself" },
  "store-unavailable": {
    status: 503,
    when: "the database is gone or too slow; nothing is acknowledged",
    retryAfter: 5,
  },
  "issuer-unavailable": {
    status: 503,
    when: "the keys of the issuer of the ID token cannot be fetched",
    retryAfter: 10,
  },
  overloaded: { status: 503, when: "too many requests in flight", retryAfter: 1 },
};

/** An error that a route throws. The answer has its code, message, details and headers. */
export class ServiceError extends CodedError<ServiceErrorCode> {
  override readonly name = "ServiceError";
  /** Headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: { details?: readonly Fault[]; cause?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(code, message, options);
    this.headers = options.headers ?? {};
  }
}

/** An `invalid-payload` error. Its message names the first faults. */
export function invalidPayload(details: readonly Fault[]): ServiceError {
  return new ServiceError("invalid-payload", summaryOf(details), { details });
}

export function overloaded(): ServiceError {
  return new ServiceError("overloaded", "too many requests in flight; try again shortly");
}

export function payloadTooLarge(): ServiceError {
  return new ServiceError("payload-too-large", "the body is larger than 1 MiB (1,048,576 bytes)");
}

/** A fault that the operator of the service can correct. The message says how, so it is shown without a stack. */
export class OperatorError extends Error {}

/** Whether an error of Node, the system or the database has this code, such as `ENOENT` or `55P03`. */
export function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}

/**
 * The messages of an error and its causes: only the cause says why a call over the network failed. A cause that is no error
 * has no message, and may be an answer that holds a secret.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
}
