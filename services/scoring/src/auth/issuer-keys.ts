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
import { isSafeUrl } from "./oidc-config.ts";

/** Time limit for an issuer to return its keys, in milliseconds. The caller waits meanwhile. */
const patienceMs = 3_000;

/** A key that an issuer has withdrawn is trusted no longer than this, in milliseconds: then its keys are fetched again. */
const refreshMs = 600_000;

/** A token with an unknown key makes the service ask the issuer, but at most once in this time. */
const unknownKeyMs = 30_000;

/** After a failed call an issuer is not asked again for this time. */
const restMs = 10_000;

/** Largest answer that is read. It is far larger than an issuer's keys or discovery document. */
const maxBytes = 1_048_576;

/** How long keys stay valid while the issuer does not answer. */
const lastResortMs = 86_400_000;

/** The keys of an issuer, fetched when first needed and then kept. */
export interface IssuerKeys {
  /**
   * Finds the key of a token.
   *
   * @throws jose's `JWKSNoMatchingKey` if the issuer has no such key, and ServiceError `issuer-unavailable` if the issuer
   * does not answer and the key is not among those it last had
   */
  readonly find: JWTVerifyGetKey;
  /** Until when a token that they found good may be remembered, in milliseconds since 1970: as long as they are young. */
  youngUntil(): number;
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
  return { find, youngUntil: () => (cache.uat ?? 0) + refreshMs };
}

/**
 * Asks an issuer once for its keys and returns their number.
 *
 * @throws Error with the reason why it got no keys
 */
export async function askForKeys(issuer: string): Promise<number> {
  const response = await fetchKeys(issuer, { signal: AbortSignal.timeout(patienceMs) });
  const { keys } = (await response.json()) as { keys?: unknown };
  if (response.status !== 200 || !Array.isArray(keys)) throw new Error(`${response.url} has no keys`);
  return keys.length;
}

async function fetchKeys(issuer: string, options: RequestInit): Promise<Response> {
  return askFor(await jwksUri(issuer, await askFor(discoveryUrl(issuer).href, options)), options);
}

/** Reads the answer at an address, up to the size limit: an answer may lack its length and never end. */
async function askFor(address: string, options: RequestInit): Promise<Response> {
  const { body, status } = await fetch(address, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error(`${address} answers with more than 1 MiB`);
    chunks.push(chunk);
  }
  const answer = new Response(size === 0 ? null : Buffer.concat(chunks), { status });
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

/** Says whether the issuer answered but has no key, or more than one, for the token. */
function isFaultOfToken(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
}

function unavailable(issuer: string, cause: unknown): ServiceError {
  return new ServiceError("issuer-unavailable", `${issuer} does not send its keys; try again`, { cause });
}
