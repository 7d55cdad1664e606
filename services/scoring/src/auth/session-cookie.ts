import type { IncomingHttpHeaders } from "node:http";

/**
 * The names of the cookie. A browser takes a name with `__Host-` only over TLS, for the whole host, and from this host
 * itself, so no neighbour below the same domain can set it.
 */
const names = { overTls: "__Host-maturity_session", plain: "maturity_session" } as const;

/** 32 random bytes in base64url. */
const wellFormed = /^[\w-]{43}$/;

/**
 * Does a request come from a page that was loaded over TLS? The service itself speaks plain HTTP behind its proxy. `Origin`
 * says so; where there is none, the proxy does by `X-Forwarded-Proto`, or the browser, which sends `Sec-Fetch-Site` only
 * over TLS and to loopback (https://www.w3.org/TR/fetch-metadata/#fetch-metadata-headers).
 */
export function cameOverTls(headers: IncomingHttpHeaders): boolean {
  const { origin, host = "", "x-forwarded-proto": scheme, "sec-fetch-site": site } = headers;
  if (origin !== undefined && origin !== "null") return origin.startsWith("https://");
  if (scheme !== undefined) return /^https\b/i.test(String(scheme));
  return site !== undefined && !/^(?:localhost|[\w.-]+\.localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host);
}

/** The name of the cookie for a page that was loaded this way. */
export function cookieName(overTls: boolean): string {
  return overTls ? names.overTls : names.plain;
}

/**
 * The session of a request, or undefined if it has none. Over TLS only the cookie with the prefix counts: any neighbour could
 * have set the plain one. Of two cookies with the same name neither counts, because one of them was set by somebody else.
 */
export function sessionIn(headers: IncomingHttpHeaders): string | undefined {
  const cookies = (headers.cookie ?? "").split(";").map((cookie) => cookie.trim());
  // Browsers send the one with the prefix over TLS alone, so it shows by itself that there is TLS.
  for (const name of cameOverTls(headers) ? [names.overTls] : Object.values(names)) {
    const [value, ...others] = cookies.flatMap((cookie) =>
      cookie.startsWith(`${name}=`) ? [cookie.slice(name.length + 1)] : [],
    );
    if (value !== undefined) return others.length === 0 && wellFormed.test(value) ? value : undefined;
  }
  return undefined;
}
