import type { IncomingHttpHeaders } from "node:http";

/**
 * The names of the cookie. A browser accepts a name with `__Host-` only over TLS, for the whole host, and from this
 * host, so that no other host of the domain can set it.
 */
const names = { overTls: "__Host-maturity_session", plain: "maturity_session" } as const;

/** 32 random bytes in base64url. */
const wellFormed = /^[\w-]{43}$/;

/**
 * Whether the page of a request was loaded over TLS. The service itself speaks plain HTTP behind its proxy. `Origin`
 * shows it; without it `X-Forwarded-Proto` of the proxy, or `Sec-Fetch-Site`, which browsers send only over TLS and to
 * loopback (https://www.w3.org/TR/fetch-metadata/#fetch-metadata-headers).
 */
export function cameOverTls(headers: IncomingHttpHeaders): boolean {
  const { origin, host = "", "x-forwarded-proto": scheme, "sec-fetch-site": site } = headers;
  if (origin !== undefined && origin !== "null") return origin.startsWith("https://");
  if (scheme !== undefined) return /^https\b/i.test(String(scheme));
  return site !== undefined && !/^(?:localhost|[\w.-]+\.localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host);
}

/** The name of the cookie, by whether the page was loaded over TLS. */
export function cookieName(overTls: boolean): string {
  return overTls ? names.overTls : names.plain;
}

/**
 * The session cookie of a request, or undefined. Over TLS only the cookie with the prefix counts, because another host
 * of the domain could have set the plain one. If the same name occurs twice, neither counts.
 */
export function sessionIn(headers: IncomingHttpHeaders): string | undefined {
  const cookies = (headers.cookie ?? "").split(";").map((cookie) => cookie.trim());
  // Browsers send the name with the prefix over TLS alone, so it proves TLS by itself.
  for (const name of cameOverTls(headers) ? [names.overTls] : Object.values(names)) {
    const [value, ...repeated] = cookies.flatMap((cookie) =>
      cookie.startsWith(`${name}=`) ? [cookie.slice(name.length + 1)] : [],
    );
    if (value !== undefined) return repeated.length === 0 && wellFormed.test(value) ? value : undefined;
  }
  return undefined;
}
