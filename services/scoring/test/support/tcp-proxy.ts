import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";
import { onTestFinished } from "vitest";

/** A port that leads to another server, and can be shut. */
export interface TcpProxy {
  /** The target's address with the port of the proxy. */
  readonly url: string;
  /** Breaks every connection off; new ones are taken. */
  cut(): void;
  /** Passes nothing on any more, and says nothing of it; new connections are taken. */
  silence(): void;
  /** Keeps back, from now on, what is sent to the server from the first text like this on. */
  holdBack(from: string): void;
  /** Is anything kept back? */
  holds(): boolean;
  /** Passes on what was kept back; where its sender is gone, returns once the server has closed the connection. */
  letGo(): Promise<void>;
  /** How many pieces clients have sent since `open`. */
  sent(): number;
  /**
   * Breaks every connection off at this piece, by the count of `sent`: before the server has it, or once the server has
   * begun to answer it, of which the client learns nothing.
   */
  cutAt(piece: number, when: "before" | "after"): void;
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
  let heldFrom: string | undefined;
  const held = new Map<Socket, { readonly client: Socket; pass(): void }>();
  let sent = 0;
  let doomed: { readonly piece: number; readonly when: "before" | "after" } | undefined;
  const server = createServer((client) => {
    const upstream = keep(connect(Number(target.port), target.hostname));
    const gate = new Transform({
      transform(chunk: Buffer, _, done) {
        if (++sent === doomed?.piece) {
          if (doomed.when === "before") return cut();
          upstream.unpipe(client).once("data", cut).resume();
        }
        if (heldFrom === undefined || !(held.has(upstream) || chunk.includes(heldFrom))) done(null, chunk);
        else held.set(upstream, { client, pass: () => done(null, chunk) });
      },
    });
    keep(client).pipe(gate).pipe(upstream).pipe(client);
    client.on("close", () => {
      upstream.unpipe(client).resume();
      gate.end();
    });
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
    holdBack(from) {
      heldFrom = from;
    },
    holds: () => held.size > 0,
    sent: () => sent,
    cutAt(piece, when) {
      doomed = { piece, when };
    },
    async letGo() {
      heldFrom = undefined;
      const closed = [...held].map(
        ([upstream, { client }]) => client.closed && !upstream.closed && once(upstream, "close"),
      );
      for (const { pass } of held.values()) pass();
      held.clear();
      await Promise.all(closed);
    },
    shut,
    open: () =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => resolve());
      }),
  };
}
