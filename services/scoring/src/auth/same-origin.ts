import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../model/errors.ts";

/**
 * Refuses a request that a page of another origin made a browser send. Browsers send the relation of the origins in
 * `Sec-Fetch-Site`, which no proxy changes. Without TLS they do not send it; then `Origin` must have the host of the
 * service. A client that sends neither header is no browser, and has no cookies to misuse.
 *
 * @param publicUrl the address of the service for browsers, if it is known
 * @throws ServiceError `forbidden`
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, publicUrl?: string): void {
  const { "sec-fetch-site": site, origin, host } = headers;
  if (site !== undefined) {
    if (site !== "same-origin") throw refusal("this is for pages of this service");
  } else if (origin !== undefined) {
    const from = URL.parse(origin)?.host;
    const hosts = [host?.toLowerCase(), publicUrl && URL.parse(publicUrl)?.host];
    if (from !== undefined && hosts.includes(from)) return;
    throw refusal("this is for pages of this service; a proxy in front of it must pass on the header Host");
  }
}

/**
 * Refuses a change by a session that no page of this service made. The Board sends a header of its own, which a form or a
 * page of another origin cannot.
 *
 * @throws ServiceError `forbidden`
 */
export function requireBoard(headers: IncomingHttpHeaders, publicUrl?: string): void {
  requireSameOrigin(headers, publicUrl);
  if (headers["x-maturity-board"] !== "1") throw refusal("a change by a session needs the header X-Maturity-Board: 1");
}

/** The header by which a window says whom it shows. */
const shownPerson = "x-maturity-person";

/**
 * Refuses a request of a window that shows another person than the session is of. All windows of a browser have the same
 * session, and one of them may have signed in anew. The Board sends the name that it shows, percent-encoded.
 *
 * @throws ServiceError `forbidden`
 */
export function requireShownPerson({ [shownPerson]: shown }: IncomingHttpHeaders, name: string): void {
  if (shown === undefined || shown === encodeURIComponent(name.toWellFormed())) return;
  const message = "another window of this browser has signed in somebody else; load the page again";
  throw new ServiceError("forbidden", message, {
    details: [{ path: shownPerson, message: "must be the person that has signed in, or absent" }],
  });
}

function refusal(message: string): ServiceError {
  return new ServiceError("forbidden", message);
}
