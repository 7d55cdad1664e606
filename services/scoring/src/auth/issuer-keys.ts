import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type ExportedJWKSCache,
  errors,
  type JWKSCacheInput,
  type JWTVerifyGetKey,
  jwksCache,
} from "jose";
import { ServiceError } from "../model/errors.ts";
import { isSafeUrl } from "./issuer-url.ts";

/** Time limit for an issuer to return its keys, in milliseconds. The caller waits meanwhile. */
export const patienceMs = 3_000;

/** Signature algorithms for which the service needs only the public key. */
export const algorithms: string[] = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** How long keys are cached, in milliseconds. A withdrawn key is trusted at most this long. */
const refreshMs = 600_000;

/** Pause between two calls of the issuer for tokens with unknown keys, in milliseconds. */
const unknownKeyMs = 30_000;

/** Pause after a failed call of the issuer, in milliseconds. */
const restMs = 10_000;

/** Largest answer that is read, in bytes: far larger than an issuer's keys or discovery document. */
const maxBytes = 1_048_576;

/** How long cached keys are used while the issuer does not answer, in milliseconds. */
const lastResortMs = 86_400_000;

/** The keys of an issuer, fetched on first use and cached. */
export interface IssuerKeys {
  /**
   * Finds the key of a token.
   *
   * @throws jose's `JWKSNoMatchingKey` if the issuer has no such key, and ServiceError `issuer-unavailable` if the
   * issuer does not answer and the key is not cached
   */
  readonly find: JWTVerifyGetKey;
  /** When the cached keys expire, in milliseconds since 1970. Tokens may be remembered until then. */
  freshUntil(): number;
}

export function issuerKeys(issuer: string): IssuerKeys {
  const cache: Partial<ExportedJWKSCache> = {};
  const current = createRemoteJWKSet(discoveryUrl(issuer), {
    timeoutDuration: patienceMs,
    cacheMaxAge: refreshMs,
    cooldownDuration: unknownKeyMs,
    [jwksCache]: cache as JWKSCacheInput,
    [customFetch]: (_, options) => fetchKeys(issuer, options),
  });
  let failure = { until: 0, cause: undefined as unknown };

  const find: JWTVerifyGetKey = async (header, token) => {
    if (Date.now() >= failure.until) {
      try {
        return await current(header, token);
      } catch (cause) {
        if (isFaultOfToken(cause)) throw cause;
        failure = { until: Date.now() + restMs, cause };
      }
    }
    const { jwks, uat = 0 } = cache;
    if (!jwks || Date.now() > uat + lastResortMs) throw unavailable(issuer, failure.cause);
    return createLocalJWKSet(jwks)(header, token).catch(() => {
      throw unavailable(issuer, failure.cause);
    });
  };
  return { find, freshUntil: () => (cache.uat ?? 0) + refreshMs };
}

/**
 * Fetches the keys of an issuer once and returns their number.
 *
 * @throws Error with the reason why there are none
 */
export async function askForKeys(issuer: string): Promise<number> {
  const response = await fetchKeys(issuer, { signal: AbortSignal.timeout(patienceMs) });
  const { keys } = (await response.json()) as { keys?: unknown };
  if (response.status !== 200 || !Array.isArray(keys)) throw new Error(`${response.url} has no keys`);
  return keys.length;
}

async function fetchKeys(issuer: string, options: RequestInit): Promise<Response> {
  return fetchLimited(await jwksUri(issuer, await fetchLimited(discoveryUrl(issuer).href, options)), options);
}

/** Fetches an address and limits the size of the answer, which may have no length and never end. */
export async function fetchLimited(address: string, options: RequestInit): Promise<Response> {
  const { body, status, headers } = await fetch(address, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`${address} answers with more than 1 MiB`);
    chunks.push(chunk);
  }
  const answer = new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
  return Object.defineProperty(answer, "url", { value: address });
}

function discoveryUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
}

/** The address of the issuer's keys, from its discovery document. */
async function jwksUri(issuer: string, response: Response): Promise<string> {
  if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}`);
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (document.issuer !== issuer) throw new Error(`${response.url} is of the issuer ${document.issuer}`);
  const url = URL.parse(String(document.jwks_uri));
  if (!url || !isSafeUrl(url)) throw new Error(`${response.url} names no https address of the keys`);
  return url.href;
}

/** Whether the issuer answered but has no single key for the token. */
function isFaultOfToken(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
}

function unavailable(issuer: string, cause: unknown): ServiceError {
  return new ServiceError("issuer-unavailable", `${issuer} does not return its keys; try again`, { cause });
}
