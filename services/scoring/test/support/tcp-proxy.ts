import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A port that leads to another server, and can be shut. */
export interface TcpProxy {
  /** The target's address with the port of the proxy. */
  readonly url: string;
  /** Breaks every connection off; new ones are taken. */
  cut(): void;
  /** Passes nothing on any more, and says nothing of it; new connections are taken. */
  silence(): void;
  /** Breaks every connection off and refuses new ones. */
  shut(): Promise<void>;
  /** Takes connections, again or for the first time. */
  open(): Promise<void>;
}

/** A proxy before the server of the address, still shut, for one test. */
export function useTcpProxy(targetUrl: string, port: number): TcpProxy {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    const upstream = keep(connect(Number(target.port), target.hostname));
    keep(client).pipe(upstream).pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  const silence = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const shut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      cut();
    });
  onTestFinished(shut);
  return {
    url: Object.assign(new URL(targetUrl), { hostname: "127.0.0.1", port: String(port) }).href,
    cut,
    silence,
    shut,
    open: () =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => resolve());
      }),
  };
}
