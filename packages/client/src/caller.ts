import createFetchClient, { type Client } from "openapi-fetch";
import { type Answer, outcomeOf, tooLong, unexpectedAnswer, unreachable } from "./answer.ts";
import { AnswerTooLongError, bounded, type Fetch, within } from "./bounds.ts";
import { MaturityClientError } from "./errors.ts";
import { madeOnce } from "./made-once.ts";
import type { paths } from "./openapi.generated.ts";
import { type Attempted, type Patience, type Retry, withRetries } from "./retry.ts";

/** The address of the service, the caller, and the parts of a client. */
export interface ClientOptions {
  /** Address of the service, with or without a path. In a browser it may be relative to the page. */
  readonly url: string | URL;
  /**
   * Access token, or a function that returns it. It is called before every attempt, so that a token may be renewed. An error
   * of it ends the call; one with a number `retryAfterMs` is an outage, and the call is tried again after this time.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of one attempt in milliseconds, above 0; `Infinity` for none. Default: 15,000. */
  readonly timeoutMs?: number;
  /** Time limit of a call with all its attempts and pauses, in milliseconds, above 0; `Infinity` is none. Default: 60,000. */
  readonly giveUpAfterMs?: number;
  /** Called before each pause. */
  readonly onRetry?: (retry: Retry) => void;
  /** Sends each request. Default: the `fetch` of the runtime. */
  readonly fetch?: Fetch;
}

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Headers and signal of a request. */
export type Init = { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal };

/** The answer to a write has a few hundred bytes for each score. */
const maxBytes = 16 * 1_048_576;

/**
 * What a call does to the service: it `reads` and changes nothing, as a dry run too; it `sets`, and sent twice has the
 * effect of once; or it `makes` something new each time, so that its route must take an `Idempotency-Key`.
 */
export type Effect = "reads" | "sets" | "makes";

/** The typed paths of one service, and calls with retries. */
export interface Connection {
  readonly api: Client<paths>;
  /** Fetches answers of any length. Refusals have the limit of all others. */
  readonly fetchStream: Fetch;
  /** The base of all paths, without a slash at the end. */
  readonly address: string;
  /** Time limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * One call with all its attempts.
   *
   * @param member of the data; an answer without it comes from something else than the service
   * @param send one attempt
   * @throws MaturityClientError `inDoubt` only of a call that changes something
   */
  call<Data>(
    effect: Effect,
    member: keyof Data & string,
    send: (init: Init) => Promise<Answer<Data>>,
    options?: CallOptions,
  ): Promise<Data>;
}

/**
 * @param now milliseconds since 1970
 * @throws MaturityClientError `invalid-url` or `invalid-time-limit`
 */
export function createCaller(options: ClientOptions, now: () => number = Date.now): Connection {
  const address = addressOf(options.url);
  const { fetch: given = (request) => globalThis.fetch(request) } = options;
  let begun = 0;
  const fetch: Fetch = (request) => {
    begun++;
    return given(request);
  };
  const patience: Patience = {
    timeoutMs: timeLimit("timeoutMs", options.timeoutMs ?? 15_000),
    giveUpAfterMs: timeLimit("giveUpAfterMs", options.giveUpAfterMs ?? 60_000),
    onRetry: options.onRetry,
    now,
  };

  async function attempt<Data>(
    member: keyof Data & string,
    send: (init: Init) => Promise<Answer<Data>>,
    limit: AbortSignal,
    signal: AbortSignal | undefined,
    more: Init["headers"] = {},
  ): Promise<Attempted<Data>> {
    let headers = { ...options.headers, ...more };
    try {
      headers = { ...headers, ...(await within(limit, authorization(options.token))) };
    } catch (error) {
      signal?.throwIfAborted();
      const isLate = error === limit.reason;
      const { retryAfterMs, message } = isLate
        ? { retryAfterMs: 0, message: "there was no token in time" }
        : Object(error);
      if (!(retryAfterMs >= 0)) throw error;
      return { failure: { code: "unreachable", message: String(message), cause: error, retryAfterMs } };
    }
    const before = begun;
    const answer = send({ headers, signal: limit });
    if (begun === before) await answer; // it throws: nothing waits before fetch is called, so the request cannot be made
    try {
      const outcome = outcomeOf(address, await within(limit, answer), now());
      const isWhole = "failure" in outcome || Object.hasOwn(Object(outcome.value), member);
      return isWhole ? outcome : { failure: unexpectedAnswer(address) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AnswerTooLongError) return { failure: tooLong(address, error) };
      if (error instanceof SyntaxError) return { failure: unexpectedAnswer(address) };
      return { failure: unreachable(address, error) };
    }
  }

  // A followed redirect turns a POST into a GET, and may carry the token elsewhere.
  const api = createFetchClient<paths>({ baseUrl: address, redirect: "manual", fetch: bounded(fetch, maxBytes) });

  return {
    api,
    fetchStream: bounded(fetch, maxBytes, ({ ok }) => !ok),
    address,
    timeoutMs: patience.timeoutMs,
    call: (effect, member, send, { signal } = {}) =>
      (effect === "makes" ? madeOnce : withRetries)(
        async (limit, headers?: Init["headers"]) => {
          const outcome = await attempt(member, send, limit, signal, headers);
          if ("value" in outcome || effect !== "reads") return outcome;
          return { failure: { ...outcome.failure, inDoubt: false } };
        },
        patience,
        signal,
      ),
  };
}

/** @throws MaturityClientError for a value that is no time, such as `NaN` from an unset variable */
function timeLimit(name: "timeoutMs" | "giveUpAfterMs", milliseconds: number): number {
  if (milliseconds > 0) return milliseconds;
  const message = `${name} must be a number of milliseconds above 0; it is ${milliseconds}`;
  throw new MaturityClientError({ code: "invalid-time-limit", message });
}

/** The base of all paths, without a slash at the end. */
function addressOf(url: string | URL): string {
  const base = (globalThis as { location?: { href: string } }).location?.href;
  const refuse = (problem: string) => new MaturityClientError({ code: "invalid-url", message: `the url ${problem}` });
  if (!URL.canParse(String(url), base)) throw refuse("must be an address such as https://maturity.example.com");
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url, base);
  if (protocol !== "http:" && protocol !== "https:") throw refuse(`must begin with http:// or https://`);
  if (username || password) throw refuse("must hold no user name and no password; give a token");
  if (search || hash) throw refuse("must hold nothing behind its path");
  return origin + pathname.replace(/\/+$/, "");
}

/** A token with other characters is refused here: the runtime's own error about the header would show it. */
async function authorization(token: ClientOptions["token"]): Promise<{ authorization?: string }> {
  const value = typeof token === "function" ? await token() : token;
  if (value === undefined) return {};
  if (!/^[\x21-\x7e]+$/.test(value)) {
    const message = value === "" ? "the token is empty" : "the token holds white space or characters beyond ASCII";
    throw new MaturityClientError({ code: "invalid-token", message });
  }
  return { authorization: `Bearer ${value}` };
}
