import type { IncomingHttpHeaders } from "node:http";
import type { ResponseObject } from "@hapi/hapi";

/** The cookies of the service: the session, and the sealed attempt to sign in. */
type Name = "maturity_session" | "maturity_sign_in";

/** The values that the cookies can have: 32 random bytes in base64url, or a JWE. */
const wellFormed = { maturity_session: /^[\w-]{43}$/, maturity_sign_in: /^[\w.-]{1,4000}$/ } as const;

/**
 * Whether the page of a request was loaded over TLS. The service itself speaks plain HTTP behind its proxy. `Origin`
 * shows it; without it `X-Forwarded-Proto` of the proxy, or `Sec-Fetch-Site`, which browsers send only over TLS and to
 * loopback (https://www.w3.org/TR/fetch-metadata/#fetch-metadata-headers).
 *
 * @param publicUrl the address of the service for browsers, if it is known
 */
export function cameOverTls(headers: IncomingHttpHeaders, publicUrl?: string): boolean {
  if (publicUrl !== undefined) return publicUrl.startsWith("https:");
  const { origin, host = "", "x-forwarded-proto": scheme, "sec-fetch-site": site } = headers;
  if (origin !== undefined && origin !== "null") return origin.startsWith("https://");
  if (scheme !== undefined) return /^https\b/i.test(String(scheme));
  return site !== undefined && !/^(?:localhost|[\w.-]+\.localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host);
}

/**
 * The name of a cookie, by whether the page was loaded over TLS. A browser accepts a name with `__Host-` only over TLS, for
 * the whole host, and from this host, so that no other host of the domain can set it.
 */
function cookieName(name: Name, overTls: boolean): string {
  return overTls ? `__Host-${name}` : name;
}

/**
 * A cookie of a request, or undefined. Over TLS only the cookie with the prefix counts, because another host of the domain
 * could have set the plain one. If the same name occurs twice, neither counts.
 */
export function cookieIn(headers: IncomingHttpHeaders, name: Name, overTls: boolean): string | undefined {
  const cookies = (headers.cookie ?? "").split(";").map((cookie) => cookie.trim());
  // Browsers send the name with the prefix over TLS alone, so it proves TLS by itself.
  for (const wanted of overTls ? [cookieName(name, true)] : [cookieName(name, true), name]) {
    const [value, ...repeated] = cookies.flatMap((cookie) =>
      cookie.startsWith(`${wanted}=`) ? [cookie.slice(wanted.length + 1)] : [],
    );
    if (value !== undefined) return repeated.length === 0 && wellFormed[name].test(value) ? value : undefined;
  }
  return undefined;
}

/** A cookie with its value, and how long it lasts, in milliseconds; without a value it is deleted. */
interface Cookie {
  readonly name: Name;
  readonly value?: string;
  readonly ttl?: number;
  /** As of `cameOverTls`. */
  readonly overTls: boolean;
}

/**
 * Sets or deletes a cookie. Its path is `/`, because the Board reads routes such as `/areas`, and a proxy may add a prefix
 * that the service does not know. The session is sent by pages of the service alone; a sealed attempt comes back from the
 * provider's page too.
 */
export function setCookie(response: ResponseObject, { name, value, ttl, overTls }: Cookie): ResponseObject {
  const isSameSite = name === "maturity_session" ? "Strict" : "Lax";
  const options = { isSecure: overTls, isHttpOnly: true, isSameSite, path: "/", encoding: "none" } as const;
  const fullName = cookieName(name, overTls);
  return value === undefined
    ? response.unstate(fullName, options)
    : response.state(fullName, value, { ...options, ...(ttl && { ttl }) });
}

/** The session cookie of a request, or undefined. */
export function sessionIn(headers: IncomingHttpHeaders, publicUrl?: string): string | undefined {
  return cookieIn(headers, "maturity_session", cameOverTls(headers, publicUrl));
}
