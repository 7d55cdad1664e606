import { subscribe } from "node:diagnostics_channel";

/** The key under which Node and the package undici keep the object that sends requests. */
const dispatcherKey = Symbol.for("undici.globalDispatcher.1");

interface Dispatcher {
  readonly constructor: new () => Dispatcher;
  destroy(error: Error): Promise<void>;
}

/** After so many dropped connections in a row the requests fail. */
const maxDrops = 3;

/**
 * Creates a `fetch` that gives up if a proxy keeps dropping the connection at `CONNECT`. Node's own `fetch` then
 * connects again at once and without end, thousands of times a second, even after the request was abandoned
 * (nodejs/undici#3897). This one fails after the third drop.
 */
export function createFetch(): (request: Request) => Promise<Response> {
  let drops = 0;
  subscribe("undici:client:connectError", (message) => {
    if ((message as { error?: { code?: unknown } }).error?.code !== "UND_ERR_SOCKET" || ++drops < maxDrops) return;
    drops = 0;
    const dispatcher: Dispatcher | undefined = Reflect.get(globalThis, dispatcherKey);
    if (!dispatcher) return;
    // The new one reads the proxy settings from the environment again.
    Reflect.set(globalThis, dispatcherKey, new dispatcher.constructor());
    void dispatcher.destroy(new Error("it drops connections"));
  });
  // The signal of a request works only as long as the garbage collector leaves the request alone. So a request
  // is kept until its answer arrives, and then as long as the body of the answer.
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
