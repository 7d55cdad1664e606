import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createCaller } from "../../src/caller.ts";
import { clientOf } from "../../src/client.ts";
import type { Client, ClientOptions } from "../../src/index.ts";

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

/** Pauses that are told and not waited for. */
export function hasty(): { readonly pauses: number[]; createClient(options: ClientOptions): Client } {
  const pauses: number[] = [];
  let paused = 0;
  const clock = {
    random: () => 0,
    now: () => paused,
    async sleep(milliseconds: number) {
      pauses.push(milliseconds);
      paused += milliseconds;
    },
  };
  return { pauses, createClient: (options) => clientOf(createCaller({ token, ...options }, clock)) };
}
