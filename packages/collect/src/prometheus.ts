import { AnswerTooLongError, bounded, type Fetch } from "@maturity/client";
import { readAnswer } from "./prometheus-answer.ts";
import { maxAnswerBytes, type PrometheusSource, type Query, QueryError, type QueryResult } from "./query.ts";

/** What Thanos and VictoriaMetrics understand as "all or an error". Prometheus and Mimir never answer in part by default. */
const complete = { partial_response: "false", deny_partial_response: "1" };

/**
 * Runs PromQL: as of the time that Prometheus has, or over a time up to this one, in milliseconds since 1970.
 *
 * @throws QueryError
 */
export async function runPromql(
  { url, headers, timeoutMs }: PrometheusSource,
  { text, range }: Pick<Query, "text" | "range">,
  { now, fetch, signal }: { now: number; fetch: Fetch; signal: AbortSignal },
): Promise<QueryResult> {
  const end = now / 1_000;
  const times = range && {
    ...{ start: String(end - range.lastMs / 1_000), end: String(end) },
    step: String(range.stepMs / 1_000),
  };
  const address = `${url}/api/v1/${range ? "query_range" : "query"}`;
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const request = new Request(address, {
      method: "POST",
      headers,
      body: new URLSearchParams({ query: text, ...times, timeout: `${timeoutMs}ms`, ...complete }),
      redirect: "manual", // a followed redirect turns a POST into a GET
      signal: AbortSignal.any([signal, limit]),
    });
    const response = await bounded(fetch, maxAnswerBytes)(request);
    return readAnswer(bodyOf(await response.text(), response, address), range);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof QueryError) throw error;
    if (error instanceof AnswerTooLongError) throw new QueryError(`${error.message}: aggregate it in the query`);
    if (limit.aborted) throw new QueryError(`${address} gave no answer within ${timeoutMs} ms`);
    throw new QueryError(`cannot reach ${address}: ${reasonOf(error)}`);
  }
}

/** Prometheus answers with JSON, whatever the status; what stands before it does not. */
function bodyOf(text: string, { status, headers }: Response, address: string): unknown {
  const location = headers.get("location");
  if (location) throw new QueryError(`${address} redirects to ${location}; give that address`);
  try {
    return JSON.parse(text);
  } catch {
    throw new QueryError(`${address} answers with status ${status}, and not as Prometheus does`);
  }
}

/** Of `fetch failed` the cause says more; of several addresses tried, the first. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error.message;
}
