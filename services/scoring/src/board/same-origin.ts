import type { Lifecycle } from "@hapi/hapi";
import { ServiceError } from "../model/errors.ts";

/**
 * Refuses a request that a page of another origin made a browser send. Browsers send the relation of the origins in
 * `Sec-Fetch-Site`, which no proxy changes. Without TLS they do not send it; then `Origin` and `Host` must have the same
 * host. A client that sends neither header is no browser, and has no cookies to misuse.
 *
 * @throws ServiceError `forbidden`
 */
export const requireSameOrigin: Lifecycle.Method = ({ raw }, h) => {
  const { "sec-fetch-site": site, origin, host } = raw.req.headers;
  if (site !== undefined) {
    if (site !== "same-origin") throw refusal("this is for pages of this service");
  } else if (origin !== undefined && hostOf(origin) !== host?.toLowerCase()) {
    throw refusal("this is for pages of this service; a proxy in front of it must pass on the header Host");
  }
  return h.continue;
};

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function refusal(message: string): ServiceError {
  return new ServiceError("forbidden", message);
}
