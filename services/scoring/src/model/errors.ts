import type { Boom } from "@hapi/boom";
import type { Request, ResponseToolkit, Server } from "@hapi/hapi";
import { type EngineErrorCode, type Fault, MaturityError, summaryOf } from "@maturity/core";

/** What a caller may be told, beside what the engine refuses. Codes are stable; messages may be reworded. */
export type ServiceErrorCode =
  | Exclude<EngineErrorCode, "invalid-scorecard">
  | "invalid-payload"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "payload-too-large"
  | "unsupported-media-type"
  | "issuer-unavailable"
  | "store-unavailable"
  | "overloaded"
  | "internal";

/** The one table of errors: code → HTTP status, and after how many seconds to try again. */
export const errorTable: Readonly<Record<ServiceErrorCode, { status: number; when: string; retryAfter?: number }>> = {
  "invalid-payload": { status: 400, when: "malformed JSON, too many values, or a missing, unknown or ill-typed field" },
  "unknown-scorecard": { status: 400, when: "no such scorecard is registered; the message lists those that are" },
  "unknown-metric": { status: 400, when: "the scorecard has no such metric; the message lists those it has" },
  "invalid-raw": { status: 400, when: "`raw` does not fit the metric" },
  unauthorized: { status: 401, when: "no token, or one that is unknown, expired, revoked or for somebody else" },
  forbidden: { status: 403, when: "the token is not good for this, or not for this area, team or app" },
  "not-found": { status: 404, when: "there is nothing at this path" },
  "method-not-allowed": { status: 405, when: "the path takes other methods; `Allow` lists them" },
  "payload-too-large": { status: 413, when: "the body is over 1 MiB" },
  "unsupported-media-type": { status: 415, when: "the body is not application/json, or compressed in an unknown way" },
  "scorer-failed": { status: 500, when: "a scorer failed; nothing is stored" },
  internal: { status: 500, when: "a fault of the service itself" },
  "store-unavailable": {
    status: 503,
    when: "the database is gone or too slow; nothing is acknowledged",
    retryAfter: 5,
  },
  "issuer-unavailable": {
    status: 503,
    when: "the issuer of the ID token does not tell its keys",
    retryAfter: 10,
  },
  overloaded: { status: 503, when: "too many requests in flight", retryAfter: 1 },
};

/** An error of the service, to throw from a route. */
export class ServiceError extends MaturityError<ServiceErrorCode> {
  /** Sent with the answer. */
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

/** An `invalid-payload` error whose message tells the first faults. */
export function invalidPayload(details: readonly Fault[]): ServiceError {
  return new ServiceError("invalid-payload", summaryOf(details), { details });
}

export function overloaded(): ServiceError {
  return new ServiceError("overloaded", "too many requests in flight; try again shortly");
}

export function payloadTooLarge(): ServiceError {
  return new ServiceError("payload-too-large", "the body is larger than 1 MiB (1,048,576 bytes)");
}

/**
 * Makes every error answer `{ statusCode, error, message, code, details? }`. Nothing of an unexpected error reaches the
 * caller. Errors above status 500 are logged here. Overload is not, since a line for each refusal would add to the load; and
 * hapi logs status 500 by itself.
 */
export function registerErrors(server: Server): void {
  server.ext("onPreResponse", (request, h) => {
    const { response } = request;
    return "isBoom" in response ? answer(request, h, response) : h.continue;
  });
}

function answer(request: Request, h: ResponseToolkit, error: Boom): symbol {
  const known = error instanceof MaturityError && error.code in errorTable ? error : fromHapi(request, error);
  const { status, retryAfter } = errorTable[known.code as ServiceErrorCode];
  if (status > 500 && known.code !== "overloaded") request.log(["error", known.code], error);
  error.output.statusCode = status;
  error.reformat();
  Object.assign(error.output.payload, {
    message: known.message,
    code: known.code,
    ...(known.details.length > 0 && { details: known.details }),
  });
  if (retryAfter !== undefined) error.output.headers["retry-after"] = String(retryAfter);
  Object.assign(error.output.headers, known instanceof ServiceError && known.headers);
  return h.continue;
}

/** The error for what hapi itself refuses, or for anything unexpected. */
function fromHapi(request: Request, error: Boom): ServiceError {
  switch (error.output.statusCode) {
    case 400:
      return error.message === "Invalid content-type header"
        ? unsupportedMediaType()
        : new ServiceError("invalid-payload", error.message);
    case 403:
      return new ServiceError("forbidden", "the scopes of this token do not allow this");
    case 404:
      return new ServiceError("not-found", `there is nothing at ${request.path}; GET /docs describes what there is`);
    case 413:
      return payloadTooLarge();
    case 415:
      return unsupportedMediaType();
    case 503:
      return overloaded();
    default:
      return new ServiceError("internal", "an internal error occurred; the log of the service has the details");
  }
}

/** Is it an error with this code of Node's, of the system's or of the database's, such as `ENOENT` or `55P03`? */
export function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && "code" in error && error.code === code;
}

function unsupportedMediaType(): ServiceError {
  return new ServiceError("unsupported-media-type", "send the body as content-type: application/json");
}
