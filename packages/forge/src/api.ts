import type { Failure } from "@maturity/client";
import type { Api, Forge, Program } from "./forge.ts";

/** A failed request. No message holds the token. */
export class ForgeError extends Error {
  override readonly name = "ForgeError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Largest answer, in bytes: a page of the longest comments of GitHub. */
const maxBytes = 33_554_432;

/** The calls of one attempt, which all end by the same signal. */
export async function createApi(
  { name, api, token = "", headers, wantsToken, ...forge }: Forge,
  what: "comment" | "status",
  { fetch, now, userAgent }: Pick<Program, "fetch" | "now" | "userAgent">,
  signal: AbortSignal,
): Promise<Api> {
  const { bounded, retryAfter, unreachable } = await import("@maturity/client");

  /** How long the server asks to wait, in milliseconds. Undefined if the answer is final. */
  function waitMs({ status, headers }: Response): number | undefined {
    const isLimited = (headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining")) === "0";
    const asked = headers.get("retry-after");
    if (status !== 429 && status < 500 && !(status === 403 && (asked ?? isLimited))) return undefined;
    const reset = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN);
    return asked === null && isLimited && reset > 0 ? Math.max(0, reset * 1_000 - now()) : retryAfter(asked, now());
  }

  function failureOf(response: Response, said: string): Failure {
    const { status } = response;
    const failure = (message: string): Failure => ({ code: "unexpected-answer", message, status });
    if (status < 300) return failure(`what answers at ${api}, with status ${status}, is not the API of ${name}`);
    if (status < 400) {
      return failure(`${api} redirects to ${response.headers.get("location")}, where the token is not sent`);
    }
    const answer = `${name} answers with status ${status}${said && ` (${said})`}`;
    const retryAfterMs = waitMs(response);
    if (retryAfterMs !== undefined) {
      const wait = retryAfterMs > 0 ? ` and asks to wait ${Math.ceil(retryAfterMs / 1_000)} s` : "";
      return { ...failure(answer + wait), retryAfterMs };
    }
    if (status === 401) return failure(`${answer}: ${wantsToken}`);
    // GitHub limits bursts by this status too, and does not always say for how long.
    if ((status === 403 && !/rate limit/i.test(said)) || status === 404)
      return failure(`${answer}: ${forge.wants(what)}`);
    return failure(answer);
  }

  return async (method, path, body) => {
    const init: RequestInit = {
      ...{ method, signal, redirect: "manual" },
      headers: {
        ...headers,
        ...{ authorization: `Bearer ${token}`, "user-agent": userAgent },
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    let response: Response;
    let text: string;
    try {
      response = await bounded(fetch, maxBytes)(new Request(path.startsWith("/") ? api + path : path, init));
      text = await response.text();
    } catch (error) {
      throw new ForgeError(unreachable(api, error));
    }
    const data = parsed(text);
    if (!response.ok || (data === undefined && response.status !== 204)) {
      throw new ForgeError(failureOf(response, saidBy(data).replaceAll(token, "…")));
    }
    return { data, next: nextPage(response.headers.get("link")) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an error says, shortened. GitLab has a text, a list for each field, or the error of OAuth. */
function saidBy(data: unknown): string {
  const { message, error, error_description: description, errors } = Object(data) as Readonly<Record<string, unknown>>;
  return [message ?? error, description, errors]
    .flatMap((part) => (part === undefined ? [] : typeof part === "string" ? part : JSON.stringify(part)))
    .join("; ")
    .slice(0, 300);
}

/** The number of the next page. Its address is left alone: behind a proxy it may name another server. */
function nextPage(link: string | null): string | undefined {
  const next = (link ?? "").split(",").find((part) => /;\s*rel="?next\b/.test(part));
  return /[?&]page=(\d+)/.exec(next ?? "")?.[1];
}
