import { subscribe } from "node:diagnostics_channel";
import type { Context } from "./context.ts";

/** What Node sends requests with, under the name it shares with the package undici. */
const dispatcherKey = Symbol.for("undici.globalDispatcher.1");

interface Dispatcher {
  readonly constructor: new () => Dispatcher;
  destroy(error: Error): Promise<void>;
}

const maxDrops = 3;

/**
 * The fetch of the runtime. When a proxy drops the connection at `CONNECT`, Node's own agent connects again at once and
 * without end (nodejs/undici#3897): thousands of times a second, even after the request was given up. Here it ends at the
 * third time, with an error.
 */
export function createFetch(): Context["fetch"] {
  let drops = 0;
  subscribe("undici:client:connectError", (message) => {
    if ((message as { error?: { code?: unknown } }).error?.code !== "UND_ERR_SOCKET" || ++drops < maxDrops) return;
    drops = 0;
    const dispatcher: Dispatcher | undefined = Reflect.get(globalThis, dispatcherKey);
    if (!dispatcher) return;
    // A new one takes its settings from the environment, as that of the start did.
    Reflect.set(globalThis, dispatcherKey, new dispatcher.constructor());
    void dispatcher.destroy(new Error("it drops connections"));
  });
  // Once the garbage collector took a request, its signal ends nothing any more.
  const asking = new Set<Request>();
  const answering = new WeakMap<object, Request>();
  return async (request) => {
    asking.add(request);
    try {
      const response = await fetch(request);
      if (response.body) answering.set(response.body, request);
      drops = 0;
      return response;
    } catch (error) {
      const { code } = Object(Object(error).cause) as { code?: unknown };
      if (code !== "UND_ERR_DESTROYED") throw error;
      throw new Error("the proxy closes the connection at CONNECT instead of opening a way through");
    } finally {
      asking.delete(request);
    }
  };
}
