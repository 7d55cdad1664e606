import type { IncomingMessage } from "node:http";

/** Requests of a class share limits. All requests that write are reports. */
export type RequestClass = "reports" | "reads" | "scrapes";

export function classOf({ method, url = "" }: IncomingMessage): RequestClass {
  if (method !== "GET" && method !== "HEAD") return "reports";
  return /^\/metrics(?:[/?]|$)/.test(url) ? "scrapes" : "reads";
}
