import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The connections of a listener, and what is under way on them. */
export interface Connections {
  /**
   * Notes a request.
   *
   * @param over is called once: when it was answered, or when its connection is gone
   */
  add(request: IncomingMessage, response: ServerResponse, over: () => void): void;
  /** Notes that the request is here as a whole and is worked on: its connection is kept until it is answered. */
  begin(request: IncomingMessage): void;
}

interface Connection {
  readonly socket: Socket;
  /** What is to be called when they are over; several where a client does not wait for answers. */
  readonly requests: Set<() => void>;
}

/**
 * Bounds the connections of a listener. A new one is always taken, so that a health check comes through however many there
 * are; for it goes the one that has kept the service waiting longest, for a request or for the rest of one.
 *
 * @param onClosed is told when one had to go
 */
export function limitConnections(listener: Server, maximum: number, onClosed: () => void): Connections {
  const connections = new Map<Socket, Connection>();
  /** In the order in which their waiting began. */
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
