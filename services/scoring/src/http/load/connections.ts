import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The connections of a listener and their requests. */
export interface Connections {
  /**
   * Registers a request.
   *
   * @param over called once, when the request was answered or its connection is gone
   */
  add(request: IncomingMessage, response: ServerResponse, over: () => void): void;
  /** The request has arrived completely and is being worked on. Its connection is kept until the answer is sent. */
  begin(request: IncomingMessage): void;
}

interface Connection {
  readonly socket: Socket;
  /** Called when a request is over. A client that does not wait for answers has several requests. */
  readonly requests: Set<() => void>;
}

/**
 * Bounds the connections of a listener. A new connection is always accepted, so that a health check gets through
 * however many there are. To make room, the connection that has been waiting longest for a request, or for the rest of
 * one, is closed.
 *
 * @param onClosed called when a connection is closed for this reason
 */
export function limitConnections(listener: Server, maximum: number, onClosed: () => void): Connections {
  const connections = new Map<Socket, Connection>();
  /** Connections that wait for a request, the longest-waiting first. */
  const waiting = new Set<Connection>();

  listener.on("connection", (socket: Socket) => {
    const connection: Connection = { socket, requests: new Set() };
    connections.set(socket, connection);
    waiting.add(connection);
    socket.once("close", () => forget(connection));
    if (connections.size > maximum) makeRoom();
  });

  function forget(connection: Connection): void {
    connections.delete(connection.socket);
    waiting.delete(connection);
    for (const over of connection.requests) over();
  }

  function makeRoom(): void {
    const [longest] = waiting;
    if (!longest) return;
    forget(longest);
    longest.socket.destroy();
    onClosed();
  }

  return {
    add({ socket }, response, onOver) {
      const connection = connections.get(socket);
      if (!connection) return onOver();
      const over = () => {
        if (!connection.requests.delete(over)) return;
        onOver();
        if (connection.requests.size > 0 || !connections.has(socket)) return;
        waiting.delete(connection);
        waiting.add(connection);
      };
      connection.requests.add(over);
      response.on("close", over);
    },
    begin({ socket }) {
      const connection = connections.get(socket);
      if (connection) waiting.delete(connection);
    },
  };
}
