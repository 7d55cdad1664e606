import type { AnswerTooLongError } from "./bounds.ts";
import type { Failure, Fault, ServiceErrorCode } from "./errors.ts";
import { type Attempted, retryAfter } from "./retry.ts";

/** An answer as openapi-fetch gives it: `data` of a 2xx, `error` of any other, JSON or else text. */
export interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of an answer, or what the service refuses with. */
export function outcomeOf<Data>(
  address: string,
  { data, error, response }: Answer<Data>,
  now: number,
): Attempted<Data> {
  if (data !== undefined) return { value: data };
  const { status } = response;
  const mayHeal = status === 429 || status === 503;
  const again = mayHeal && { retryAfterMs: retryAfter(response.headers.get("retry-after"), now) };
  if (!isErrorAnswer(error)) return { failure: { ...unexpectedAnswer(address, response), ...again } };
  const { code, message, details = [] } = error;
  return { failure: { code, message, status, details, ...again } };
}

/** What stands at the address is no service, or something stands before it. */
export function unexpectedAnswer(address: string, response?: Response): Failure {
  const status = response?.status ?? 200;
  if (response?.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    const location = response?.headers.get("location");
    const message = `${address} redirects${location ? ` to ${location}` : ""}; give the address of the service itself`;
    return { code: "unexpected-answer", message, status };
  }
  const message = `what answers at ${address}, with status ${status}, is not the service`;
  return { code: "unexpected-answer", message, status };
}

/** Nothing of the service is that long. */
export function tooLong(address: string, { message }: AnswerTooLongError): Failure {
  return { code: "unexpected-answer", message: `what answers at ${address} is not the service: ${message}` };
}

/** No answer came, or it broke off. A certificate or a port that is refused now will be refused again. */
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
  return { code: "unreachable", message, cause, ...(!/certificate|\bCERT_/i.test(reason) && { retryAfterMs: 0 }) };
}

/** No answer came to what must not be done twice. */
export function unanswered(address: string, cause: unknown): Failure {
  const { retryAfterMs: _, message, ...failure } = unreachable(address, cause);
  return { ...failure, message: `${message}; it may be done all the same, so look before you do it again` };
}

function isErrorAnswer(
  error: unknown,
): error is { readonly code: ServiceErrorCode; readonly message: string; readonly details?: readonly Fault[] } {
  if (typeof error !== "object" || error === null) return false;
  return "code" in error && typeof error.code === "string" && "message" in error && typeof error.message === "string";
}

/** Of `fetch failed` the cause tells more; of several addresses tried, the first. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message;
}
