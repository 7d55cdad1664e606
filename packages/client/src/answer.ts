import type { AnswerTooLongError } from "./bounds.ts";
import { type Failure, type Fault, passing, type ServiceErrorCode } from "./errors.ts";
import { type Attempted, retryAfter } from "./retry.ts";

/** An answer of openapi-fetch: `data` for a 2xx status, `error` for any other, as JSON or else as text. */
export interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of an answer, or the refusal of the service. */
export function outcomeOf<Data>(
  address: string,
  { data, error, response }: Answer<Data>,
  now: number,
): Attempted<Data> {
  if (data !== undefined) return { value: data };
  const { status } = response;
  const again = passing.has(status) && { retryAfterMs: retryAfter(response.headers.get("retry-after"), now) };
  if (!isRefusal(error, status)) return { failure: { ...unexpectedAnswer(address, response), ...again } };
  const { code, message, details = [] } = error;
  // The service saw the path of the address, which a proxy would have taken off: it is none of the service.
  const isOwnPath = status === 404 && message.startsWith(`there is nothing at ${new URL(address).pathname}/`);
  if (isOwnPath) return { failure: unexpectedAnswer(address, response) };
  // A database may go away while it commits.
  return { failure: { code, message, status, details, inDoubt: code === "store-unavailable", ...again } };
}

/** The failure for an answer that is not of the service, but of a proxy or of another program. */
export function unexpectedAnswer(address: string, response?: Response): Failure {
  const status = response?.status ?? 200;
  const failure = (message: string): Failure => ({ code: "unexpected-answer", message, status, inDoubt: true });
  if (response?.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    const location = response?.headers.get("location");
    return failure(`${address} redirects${location ? ` to ${location}` : ""}; give the address of the service itself`);
  }
  if (status === 404) {
    return failure(
      `there is no service at ${address}: the answer has status 404 and is none of the service; look whether the path of the address is right`,
    );
  }
  if (status === 401 || status === 403) {
    return failure(
      `something before the service at ${address} refuses with status ${status}, such as a proxy with a login of its own; give an address at which the service itself answers`,
    );
  }
  if (passing.has(status)) return failure(`a proxy answers at ${address} with status ${status}, and not the service`);
  return failure(`what answers at ${address}, with status ${status}, is not the service`);
}

/** The failure for an answer that is longer than any of the service. */
export function tooLong(address: string, { message }: AnswerTooLongError): Failure {
  return { ...unexpectedAnswer(address), message: `what answers at ${address} is not the service: ${message}` };
}

/** The failure for a missing or broken answer. A refused certificate or port is not tried again. */
export function unreachable(address: string, cause: unknown): Failure {
  const reason = reasonOf(cause);
  if (/^bad port$/i.test(reason)) {
    // https://fetch.spec.whatwg.org/#port-blocking
    const message = `${address} has a port to which fetch sends nothing; let the service listen on another one`;
    return { code: "invalid-url", message, cause };
  }
  // OpenSSL reads what a server without TLS says as if it were a record of TLS.
  if (address.startsWith("https:") && /wrong.version.number|packet.length.too.long|http.request/i.test(reason)) {
    const message = `${address} is no https address: what answers there does not speak TLS, so it may be ${address.replace("https", "http")}`;
    return { code: "unreachable", message, cause };
  }
  const message = `cannot reach ${address}: ${reason}`;
  if (/certificate|\bCERT_/i.test(reason)) return { code: "unreachable", message, cause };
  return { code: "unreachable", message, cause, retryAfterMs: 0, inDoubt: true };
}

/**
 * Whether the body is an error of the service. A proxy may answer in JSON too, after it has passed the request on.
 */
function isRefusal(
  error: unknown,
  status: number,
): error is { readonly code: ServiceErrorCode; readonly message: string; readonly details?: readonly Fault[] } {
  if (typeof error !== "object" || error === null) return false;
  const { statusCode, code, message } = error as Readonly<Record<string, unknown>>;
  return statusCode === status && typeof code === "string" && typeof message === "string";
}

/** The message of the innermost cause: `fetch failed` alone says nothing. Of several addresses, the first counts. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message;
}
