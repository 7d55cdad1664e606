/** A browser without a page: it keeps the cookies of each host, and follows redirects. */
export interface CookieJar {
  /** Sends a request with the cookies of its host. Redirects are not followed. */
  send(address: string | URL, init?: RequestInit): Promise<Response>;
  /** Opens an address, and follows redirects to the end. The answer has the address at which it ended. */
  open(address: string | URL, init?: RequestInit): Promise<{ readonly address: URL; readonly response: Response }>;
  /** The names and values of the cookies of a host. */
  cookies(host: string): ReadonlyMap<string, string>;
}

interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

const maxRedirects = 20;

/** A browser without cookies. As in real ones, all ports of a host share the cookies. */
export function createCookieJar(): CookieJar {
  let cookies: Cookie[] = [];

  function keep({ hostname: host }: URL, line: string): void {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const [name = "", ...value] = pair.split("=");
    const settings = new Map(attributes.map((one) => [one.split("=")[0]?.toLowerCase(), one.split("=")[1] ?? ""]));
    const path = settings.get("path") || "/";
    const age = settings.get("max-age");
    const isOver = age === undefined ? Date.parse(settings.get("expires") ?? "") <= Date.now() : Number(age) <= 0;
    cookies = cookies.filter((one) => one.host !== host || one.path !== path || one.name !== name);
    if (!isOver) cookies.push({ host, path, name, value: value.join("=") });
  }

  async function send(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    const sent = cookies.filter(({ host, path }) => host === url.hostname && url.pathname.startsWith(path));
    const headers = new Headers(init.headers);
    if (sent.length > 0) headers.set("cookie", sent.map(({ name, value }) => `${name}=${value}`).join("; "));
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) keep(url, line);
    return response;
  }

  return {
    send,
    async open(start, init) {
      let address = new URL(start);
      let response = await send(address, init);
      for (let count = 0; count < maxRedirects; count++) {
        const location = response.status >= 300 && response.status < 400 && response.headers.get("location");
        if (!location) return { address, response };
        await response.body?.cancel();
        address = new URL(location, address);
        response = await send(address);
      }
      throw new Error(`more than ${maxRedirects} redirects, the last to ${address}`);
    },
    cookies: (host) => new Map(cookies.filter((one) => one.host === host).map(({ name, value }) => [name, value])),
  };
}

/**
 * Signs a person in at a service, as far as the view that is asked for. Without a person nobody is chosen, and the
 * provider refuses.
 *
 * @param view relative to the service, such as `board/?env=prod`
 */
export async function signIn(
  jar: CookieJar,
  { service, sub = "", view = "board/" }: { service: string; sub?: string; view?: string },
): ReturnType<CookieJar["open"]> {
  const { address } = await jar.open(new URL(`/sign-in?to=${encodeURIComponent(view)}`, service));
  if (!address.pathname.startsWith("/people/")) throw new Error(`no page of the provider, but ${address}`);
  return jar.open(address, { method: "POST", body: new URLSearchParams({ person: sub }) });
}
