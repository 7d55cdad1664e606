import type { Boom } from "@hapi/boom";
import type { Request, Server } from "@hapi/hapi";
import { CodedError } from "@maturity/core/wire";
import { errorTable, payloadTooLarge, ServiceError, type ServiceErrorCode } from "../model/errors.ts";

/**
 * Gives every error the form `{ statusCode, error, message, code, details? }`. Details of an unexpected error do not
 * reach the caller. Errors with a status above 500 are logged here, except overload, because a line for each refusal
 * would add to the load. hapi itself logs status 500.
 *
 * @param onOverloaded called for each request refused as overload
 */
export function registerErrors(server: Server, onOverloaded: () => void): void {
  server.ext("onPreResponse", (request, h) => {
    const { response } = request;
    if (!("isBoom" in response)) return h.continue;
    const code = answer(request, response);
    if (code === "overloaded" && request.active()) onOverloaded();
    return h.continue;
  });
}

/** Turns an error into an answer and returns its code. */
function answer(request: Request, error: Boom): string {
  const known = error instanceof CodedError && error.code in errorTable ? error : fromHapi(request, error);
  const { status, retryAfter } = errorTable[known.code as ServiceErrorCode];
  error.output.statusCode = status;
  if (status > 500 && known.code !== "overloaded") request.log(["error", known.code], error);
  error.reformat();
  Object.assign(error.output.payload, {
    message: known.message,
    code: known.code,
    ...(known.details.length > 0 && { details: known.details }),
  });
  if (retryAfter !== undefined) error.output.headers["retry-after"] = String(retryAfter);
  Object.assign(error.output.headers, known instanceof ServiceError && known.headers);
  return known.code;
}

/** Converts an error of hapi, or an unexpected one. */
function fromHapi(request: Request, error: Boom): ServiceError {
  switch (error.output.statusCode) {
    case 400:
      return error.message === "Invalid content-type header"
        ? unsupportedMediaType()
        : new ServiceError("invalid-payload", error.message);
    case 403:
      return new ServiceError("forbidden", `your scopes do not allow this${neededScopes(request)}`);
    case 404:
      return new ServiceError("not-found", `there is nothing at ${request.path}; /docs/ describes what there is`);
    case 413:
      return payloadTooLarge();
    case 415:
      return unsupportedMediaType();
    default:
      return new ServiceError("internal", "an internal error occurred; the log of the service has the details");
  }
}

/** The end of a message: the scopes that allow the route. */
function neededScopes({ route }: Request): string {
  const access = route.settings.auth ? (route.settings.auth.access ?? []) : [];
  const scopes = access.flatMap(({ scope }) => (scope ? (scope.selection ?? []) : []));
  return scopes.length > 0 ? `; it needs ${scopes.join(" or ")}` : "";
}

function unsupportedMediaType(): ServiceError {
  return new ServiceError("unsupported-media-type", "send the body as content-type: application/json");
}
