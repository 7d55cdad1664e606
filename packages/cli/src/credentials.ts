import { resolve } from "node:path";
import { readText } from "@maturity/command-line/files";
import type { Flags } from "@maturity/command-line/flags";
import { UsageError } from "@maturity/command-line/usage-error";
import type { Context } from "./context.ts";
import type { Settings } from "./settings.ts";

/** An access token, and where it came from. */
export interface Credentials {
  /** The flag, the variable or the CI that gave it, for messages. */
  readonly from: string;
  /** The token, or a function that gets one. */
  readonly token: string | (() => Promise<string>);
}

/** The CI that makes a token for each run. */
export const fromGitHub = "GitHub Actions (OIDC)";

/** GitHub Actions gave no ID token. */
export class IdTokenError extends Error {
  override readonly name = "IdTokenError";
  /** Present if it may give one later: then the client asks again, after so many milliseconds. */
  readonly retryAfterMs: number | undefined;

  /** @param came what came in its place */
  constructor(came: string, retryAfterMs?: number) {
    super(`GitHub Actions gave no ID token: ${came}`);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The audience of ID tokens, unless a setting names another. */
const defaultAudience = "maturity";

/** Largest token file or answer, in bytes: far more than a token needs. */
const maxBytes = 65_536;

/**
 * Finds the token for the service: from `--token-file`, else from the environment, else from GitHub Actions, which
 * makes one for each run. Undefined if there is none.
 *
 * @throws UsageError if the token file cannot be read. Also if there is a token, but the address of the service comes
 * from `maturity.yaml`: whoever can change that file could have the token sent to a server of their own.
 */
export async function findCredentials(
  { url, audience }: Settings,
  flags: Flags,
  context: Context,
): Promise<Credentials | undefined> {
  const credentials = await given(flags.tokenFile, audience?.value ?? defaultAudience, context);
  if (credentials && url?.isOfFile) {
    throw new UsageError(
      `the token of ${credentials.from} is not sent to ${url.value}, an address that ${url.from} names: whoever changes that file would get it; give --url or MATURITY_URL beside the token`,
    );
  }
  return credentials;
}

async function given(tokenFile: unknown, audience: string, context: Context): Promise<Credentials | undefined> {
  const { env, cwd } = context;
  if (typeof tokenFile === "string") {
    const token = await readText(resolve(cwd, tokenFile), `the token file ${tokenFile}`, maxBytes);
    return { from: "--token-file", token: token.trim() };
  }
  for (const from of ["MATURITY_TOKEN", "MATURITY_ID_TOKEN"]) {
    const token = env[from]?.trim();
    if (token) return { from, token };
  }
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer } = env;
  if (!url || !bearer) return undefined;
  return {
    from: fromGitHub,
    token: cachedFor(lifeMs, context.now, () => ask(url, bearer, audience, context)),
  };
}

/** How long an ID token of GitHub is used again, in milliseconds. It is valid for at least five minutes. */
const lifeMs = 240_000;

/** Caches the answer of `get` for this time, and asks again after that. An error is not cached. */
function cachedFor(milliseconds: number, now: () => number, get: () => Promise<string>): () => Promise<string> {
  let cached: { readonly token: Promise<string>; readonly since: number } | undefined;
  return () => {
    if (!cached || now() - cached.since > milliseconds) {
      const token = get();
      token.catch(() => {
        cached = undefined;
      });
      cached = { token, since: now() };
    }
    return cached.token;
  };
}

/** How long one request for an ID token may take, in milliseconds. It mostly takes a few. */
const attemptMs = 5_000;

/**
 * One request for an ID token. The client repeats it within its time limit.
 *
 * @throws IdTokenError
 */
async function ask(url: string, bearer: string, audience: string, { fetch, now }: Context): Promise<string> {
  const { bounded, retryAfter, unreachable } = await import("@maturity/client");
  const address = new URL(url);
  address.searchParams.set("audience", audience);
  const headers = { authorization: `bearer ${bearer}` };
  try {
    const request = new Request(address, { headers, signal: AbortSignal.timeout(attemptMs) });
    const response = await bounded(fetch, maxBytes)(request);
    const token = tokenIn(await response.text());
    if (response.ok && token !== undefined) return token;
    const { status } = response;
    if (status === 429 || status >= 500) {
      throw new IdTokenError(`status ${status}`, retryAfter(response.headers.get("retry-after"), now()));
    }
    const came = response.ok ? `an answer without a token, with status ${status}` : `status ${status}`;
    throw new IdTokenError(`${came}; has the job the permission id-token: write?`);
  } catch (error) {
    if (error instanceof IdTokenError) throw error;
    throw new IdTokenError(unreachable(address.origin, error).message, 0);
  }
}

function tokenIn(text: string): string | undefined {
  try {
    const { value } = Object(JSON.parse(text));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
