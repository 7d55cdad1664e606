import { type Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { hasCode } from "../model/errors.ts";

const [name, value] = ["x-content-type-options", "nosniff"] as const;

/** What is no HTTP is answered by this, without a body. */
const badRequest = `HTTP/1.1 400 Bad Request\r\n${name}: ${value}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;

/**
 * An answer that no browser takes for anything but what it says it is. As the class of a listener it is that of all its
 * answers: of each route, file and error, and of the refusals that Node writes itself.
 */
export class PlainResponse extends ServerResponse {
  constructor(...args: ConstructorParameters<typeof ServerResponse>) {
    super(...args);
    this.setHeader(name, value);
  }
}

/**
 * Answers what is no HTTP in place of hapi, behind the answer of the request before it if there is one. A request that breaks
 * off is left to hapi, which knows more of it.
 */
export function answerBadRequests(listener: Server): void {
  const underWay = new WeakMap<Duplex, ServerResponse>();
  listener.prependListener("request", ({ socket }, response) => {
    underWay.set(socket, response);
    response.once("close", () => {
      if (underWay.get(socket) === response) underWay.delete(socket);
    });
  });
  const others = listener.listeners("clientError");
  listener.removeAllListeners("clientError").on("clientError", (error, socket) => {
    const answer = () => (socket.readable ? socket.end(badRequest) : socket.destroy(error));
    const before = underWay.get(socket);
    if (!before && socket.readable) answer();
    else if (before && hasCode(error, "HPE_INVALID_METHOD")) before.once("close", answer);
    else for (const other of others) other.call(listener, error, socket);
  });
}
