import { type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { hasCode } from "../model/errors.ts";

const [name, value] = ["x-content-type-options", "nosniff"] as const;

/** The answer to a request that is not HTTP, without a body. */
const badRequest = `HTTP/1.1 400 Bad Request\r\n${name}: ${value}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;

/**
 * A response with `nosniff`. As the class of a listener it covers each route, file and error, and the refusals of Node
 * itself.
 */
export class PlainResponse extends ServerResponse {
  constructor(...args: ConstructorParameters<typeof ServerResponse>) {
    super(...args);
    this.setHeader(name, value);
  }
}

/**
 * Answers requests that are not HTTP in place of hapi, after the answer to the previous request on the connection. hapi
 * answers requests that are cut off, because it knows their state.
 */
export function answerBadRequests(listener: Server): void {
  const openResponses = new WeakMap<Duplex, ServerResponse>();
  listener.prependListener("request", ({ socket }, response) => {
    openResponses.set(socket, response);
    response.once("close", () => {
      if (openResponses.get(socket) === response) openResponses.delete(socket);
    });
  });
  const hapiListeners = listener.listeners("clientError");
  listener.removeAllListeners("clientError").on("clientError", (error, socket) => {
    const answer = () => (socket.readable ? socket.end(badRequest) : socket.destroy(error));
    const before = openResponses.get(socket);
    if (!before && socket.readable) answer();
    else if (before && hasCode(error, "HPE_INVALID_METHOD")) before.once("close", answer);
    else for (const listen of hapiListeners) listen.call(listener, error, socket);
  });
}
