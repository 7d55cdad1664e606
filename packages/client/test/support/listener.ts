import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished, vi } from "vitest";
import { createCaller } from "../../src/caller.ts";
import { clientOf } from "../../src/client.ts";
import type { Client, ClientOptions, Retry } from "../../src/index.ts";

export const token = "maturity_hunter2";

/** Whatever listens instead of the service, or before it. */
export async function listen(listener: RequestListener, port = 0): Promise<string> {
  const server: Server = createServer(listener).listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers these in turn, the last one for ever. */
export function inTurn(...listeners: RequestListener[]): RequestListener {
  let index = 0;
  return (request, response) => listeners[Math.min(index++, listeners.length - 1)]?.(request, response);
}

/** Answers this in JSON. */
export const json =
  (status: number, body: unknown, headers = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
export const hangUp: RequestListener = (request) => request.socket.destroy();
export const breakOff: RequestListener = (_, response) => {
  response.writeHead(200, { "content-length": "1000" }).write('{"score":');
  setImmediate(() => response.destroy());
};
/** Refuses as the service does. */
export const refuse = (
  status: number,
  code: string,
  message = "no",
  more: object = {},
  headers = {},
): RequestListener => json(status, { statusCode: status, error: "its name", code, message, ...more }, headers);
export const overloaded: RequestListener = refuse(503, "overloaded", "too many requests");
/** Answers as a proxy does. */
export const page =
  (status: number): RequestListener =>
  (_, response) =>
    response.writeHead(status, { "content-type": "text/html" }).end(`<h1>${status}</h1>`);

/** Pauses that are reported and not waited for, each as short as chance allows. */
export function hasty(): { readonly pauses: number[]; createClient(options: ClientOptions): Client } {
  const { now, skip } = skipping();
  const pauses: number[] = [];
  const onRetry = ({ pauseMs }: Retry) => {
    pauses.push(pauseMs);
    skip(pauseMs);
  };
  return { pauses, createClient: (options) => clientOf(createCaller({ token, onRetry, ...options }, now)) };
}

const wait = globalThis.setTimeout;
/** The clock to which timers belong that are set now. */
let clock = { now: 0, left: 0 };

/** A clock whose pauses are over at once: the timers that are set next, as long together as was said, go off unwaited for. */
export function skipping(): { now(): number; skip(milliseconds: number): void } {
  const own = { now: 0, left: 0 };
  vi.spyOn(Math, "random").mockReturnValue(0);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((go: () => void, milliseconds = 0, ...given: []) => {
    const of = clock;
    if (of.left === 0 || milliseconds > of.left) return wait(go, milliseconds, ...given);
    of.left -= milliseconds;
    of.now += milliseconds;
    return wait(() => {
      clock = of;
      go();
    }, 0);
  }) as typeof setTimeout);
  onTestFinished(() => void vi.restoreAllMocks());
  return {
    now: () => own.now,
    skip(milliseconds) {
      clock = own;
      own.left = milliseconds;
    },
  };
}
