import type { Request, Server } from "@hapi/hapi";
import { ServiceError } from "./errors.ts";

/** Writes a process works on at a time; more are turned away at once, so that those it took are answered in time. */
const maxInFlight = 1_000;

/** Turns writes away while too many are in flight. Health checks and scrapes go on. */
export function limitRequests(server: Server): void {
  const taken = new WeakSet<Request>();
  let inFlight = 0;
  server.ext("onRequest", (request, h) => {
    if (request.method !== "post") return h.continue;
    if (inFlight >= maxInFlight) throw new ServiceError("overloaded", "too many requests in flight; try again shortly");
    inFlight++;
    taken.add(request);
    return h.continue;
  });
  server.events.on("response", (request) => {
    if (taken.delete(request)) inFlight--;
  });
}
