/**
 * The names of the cookie. A browser takes a name with `__Host-` only over TLS, for the whole host, and from this host
 * itself, so no neighbour below the same domain can set it.
 */
const names = { overTls: "__Host-maturity_session", plain: "maturity_session" } as const;

/** 32 random bytes in base64url. */
const wellFormed = /^[\w-]{43}$/;

/** The name of the cookie for a page that was loaded this way. */
export function cookieName(overTls: boolean): string {
  return overTls ? names.overTls : names.plain;
}

/**
 * The session in the header `Cookie`, or undefined if there is none. Of two cookies with the same name neither counts,
 * because one of them was set by somebody else.
 */
export function sessionIn(header = ""): string | undefined {
  const cookies = header.split(";").map((cookie) => cookie.trim());
  for (const name of Object.values(names)) {
    const [value, ...others] = cookies.flatMap((cookie) =>
      cookie.startsWith(`${name}=`) ? [cookie.slice(name.length + 1)] : [],
    );
    if (value !== undefined) return others.length === 0 && wellFormed.test(value) ? value : undefined;
  }
  return undefined;
}
