import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { limitConnections } from "./connections.ts";
import { errorTable, ServiceError } from "./errors.ts";
import type { Refusal } from "./refusals.ts";
import { createTurns } from "./turns.ts";

/** What a process takes on at a time. */
export interface Limits {
  /** A further connection takes the place of the one that has kept the service waiting longest. */
  readonly connections: number;
  /** Writes whose body is here. */
  readonly writes: number;
  /** The bodies of these writes, in bytes. One write is taken whatever its size. */
  readonly writeBytes: number;
  /** Scrapes and other reads; health checks do not count. */
  readonly reads: number;
  /** Bodies on their way here, in bytes. Past it the one that takes longest is cut off. */
  readonly arrivingBytes: number;
}

/** 1,000 scores one by one, or 10 batches of 1,000, are less than a second of work. */
export const processLimits: Limits = {
  connections: 4_000,
  writes: 1_000,
  writeBytes: 2 * 1_048_576,
  reads: 250,
  arrivingBytes: 32 * 1_048_576,
};

/** The place of a request among those under way. */
export interface Place {
  /** So many bytes more of its body are here. */
  grow(bytes: number): void;
  /**
   * Its body is here. Returns when work on it may begin.
   *
   * @throws ServiceError `overloaded`
   */
  begin(): Promise<void>;
  /** The work is over. Until then the place is taken, though the caller may be gone. */
  end(): void;
}

/** A property of requests: a WeakMap of so many of them takes a tenth of the time of a write. */
const place: unique symbol = Symbol("place");

interface PlacedMessage extends IncomingMessage {
  [place]?: Place;
}

/** Requests that came by no connection, as in tests, have all the room they want. */
const unlimited: Place = { grow() {}, async begin() {}, end() {} };

/** The place of a request. */
export function placeOf(request: PlacedMessage): Place {
  return request[place] ?? unlimited;
}

/**
 * Bounds what the listener takes on. Requests past a limit are answered here, before hapi sees them: through hapi a
 * refusal takes more time than an accepted request, and refusing would take the time that answering needs.
 *
 * @param onRefusal is told of every refusal
 */
export function limitLoad(listener: Server, limits: Limits, onRefusal: (what: Refusal) => void): void {
  const connections = limitConnections(listener, limits.connections, () => onRefusal("connection_closed"));
  const turns = createTurns(listener);
  /** When connections of refused requests may have another try, by `performance.now()`. */
  const notBefore = new WeakMap<Socket, number>();
  /** Connections with a request that is kept waiting until then. */
  const kept = new WeakSet<Socket>();
  /** Bytes of bodies that are not whole yet, in the order in which they began. */
  const arriving = new Map<IncomingMessage, number>();
  let arrivingBytes = 0;
  let writes = 0;
  let writeBytes = 0;
  let reads = 0;

  const hasRoomForWrite = (bytes: number) =>
    writes < limits.writes && (writeBytes === 0 || writeBytes + bytes <= limits.writeBytes);

  function takeRead(request: IncomingMessage, response: ServerResponse): void {
    reads++;
    connections.add(request, response, () => reads--);
    connections.begin(request);
  }

  function takeWrite(request: PlacedMessage, response: ServerResponse): void {
    let bytes = 0;
    let gone = false;
    request[place] = {
      grow(more) {
        if (!gone) bytes = arrive(request, more);
      },
      async begin() {
        leave(request);
        if (gone) throw new ServiceError("overloaded", "the caller did not wait for the answer");
        if (!hasRoomForWrite(bytes)) {
          noteRefusal(request.socket);
          throw new ServiceError("overloaded", message);
        }
        writes++;
        writeBytes += bytes;
        connections.begin(request);
        await turns(bytes);
      },
      end() {
        writes--;
        writeBytes -= bytes;
      },
    };
    connections.add(request, response, () => {
      gone = true;
      leave(request);
    });
  }

  function arrive(request: IncomingMessage, more: number): number {
    const bytes = (arriving.get(request) ?? 0) + more;
    arriving.set(request, bytes);
    arrivingBytes += more;
    if (arrivingBytes > limits.arrivingBytes) cutOffSlowest();
    return bytes;
  }

  function cutOffSlowest(): void {
    const [slowest] = arriving.keys();
    if (!slowest) return;
    leave(slowest);
    slowest.socket.destroy();
    onRefusal("body_cut_off");
  }

  function leave(request: IncomingMessage): void {
    arrivingBytes -= arriving.get(request) ?? 0;
    arriving.delete(request);
  }

  function noteRefusal(socket: Socket): void {
    onRefusal("request_refused");
    notBefore.set(socket, performance.now() + retryAfter * 1_000);
  }

  function refuse({ socket, headers }: IncomingMessage, response: ServerResponse): void {
    noteRefusal(socket);
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": body.length,
      "retry-after": String(retryAfter),
      ...(headers.expect !== undefined && { connection: "close" }), // whether its body follows is the client's choice
    });
    response.end(body);
  }

  /** Keeps a request waiting that comes before the time it was told, since even a refusal costs. */
  function keep({ socket }: IncomingMessage, tooEarlyByMs: number, take: () => void): void {
    kept.add(socket);
    setTimeout(() => {
      kept.delete(socket);
      if (!socket.destroyed) take();
    }, tooEarlyByMs);
  }

  for (const event of ["request", "checkContinue"]) {
    const [dispatch] = listener.listeners(event) as [RequestListener];
    const take: RequestListener = (request, response) => {
      if (isRead(request)) {
        if (reads >= limits.reads) return refuse(request, response);
        takeRead(request, response);
      } else {
        if (!hasRoomForWrite(announcedBytes(request))) return refuse(request, response);
        takeWrite(request, response);
      }
      dispatch(request, response);
    };
    listener.removeAllListeners(event).on(event, (request: IncomingMessage, response: ServerResponse) => {
      if (isHealthCheck(request)) {
        connections.add(request, response, () => {});
        return dispatch(request, response);
      }
      const tooEarlyByMs = (notBefore.get(request.socket) ?? 0) - performance.now();
      if (tooEarlyByMs <= 0) take(request, response);
      else if (kept.has(request.socket)) refuse(request, response);
      else keep(request, tooEarlyByMs, () => take(request, response));
    });
  }
}

function isHealthCheck({ url = "" }: IncomingMessage): boolean {
  return /^\/(?:healthz|livez)(?:\?|$)/.test(url);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** By its head; 0 for a body that comes in chunks. */
function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

const { status, retryAfter = 1 } = errorTable.overloaded;
const message = "too many requests in flight; try again shortly";
const body = JSON.stringify({ statusCode: status, error: "Service Unavailable", message, code: "overloaded" });
