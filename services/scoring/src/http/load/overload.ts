import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { errorTable, overloaded, ServiceError } from "../../model/errors.ts";
import { maxBytes } from "../../model/limits.ts";
import { limitConnections } from "./connections.ts";
import type { Refusal } from "./refusals.ts";
import { createTurns } from "./turns.ts";
import { createWaitingLine, type OnTheirWay } from "./waiting-line.ts";

/** What a process takes on at a time. */
export interface Limits {
  /** A further connection takes the place of the one that has kept the service waiting longest. */
  readonly connections: number;
  /** Writes whose body is here. */
  readonly writes: number;
  /** The bodies of these writes, in bytes. One write is taken whatever its size. */
  readonly writeBytes: number;
  /** Writes that wait until there is room for them. */
  readonly waiting: number;
  /** Scrapes and other reads whose callers are known; health checks do not count. */
  readonly reads: number;
  /** Bodies on their way here or waiting here, in bytes. Past it the one that takes longest to come is cut off. */
  readonly arrivingBytes: number;
}

/** 1,000 scores one by one, or 10 batches of 1,000, are less than a second of work. */
export const processLimits: Limits = {
  connections: 4_000,
  writes: 1_000,
  writeBytes: 2 * 1_048_576,
  waiting: 4_000,
  reads: 250,
  arrivingBytes: 32 * 1_048_576,
};

/** The place of a request among those under way. */
export interface Place {
  /** So many bytes more of its body are here. */
  grow(bytes: number): void;
  /**
   * Its caller is known, and its body is here. Returns when work on it may begin; a write waits for its place, if its head
   * announced less than came, or others were faster.
   *
   * @throws ServiceError `overloaded`
   */
  begin(): Promise<void>;
  /** The work on a write is over. Until then its place is taken, though the caller may be gone; a read is over when that is. */
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

/** So long a write waits for its place before it is refused, in milliseconds. */
const waitMs = 1_000;

/**
 * Bounds what the listener takes on. Writes past a limit wait here, and are refused here, before hapi sees them: through
 * hapi a refusal costs more than an accepted request, and refusing would take the time that answering needs. For the same
 * reason they wait before they are refused: clients that are refused come again.
 *
 * @param onRefusal is told of every refusal
 */
export function limitLoad(listener: Server, limits: Limits, onRefusal: (what: Refusal) => void): void {
  const connections = limitConnections(listener, limits.connections, () => onRefusal("connection_closed"));
  const turns = createTurns(listener);
  /** Of heads: their bodies stay where they are. And of bodies that are here, which come first. */
  const heads = createWaitingLine(limits.waiting, waitMs, hasRoom);
  const bodies = createWaitingLine(limits.waiting, waitMs, (bytes) => hasRoom(bytes));
  /** Bytes of bodies that are not whole yet, in the order in which they began. */
  const arriving = new Map<IncomingMessage, number>();
  let arrivingBytes = 0;
  let writes = 0;
  let writeBytes = 0;
  let reads = 0;

  function hasRoom(bytes: number, onTheirWay: OnTheirWay = { count: 0, bytes: 0 }): boolean {
    const taken = writeBytes + onTheirWay.bytes;
    return writes + onTheirWay.count < limits.writes && (taken === 0 || taken + bytes <= limits.writeBytes);
  }

  function expectRead(request: PlacedMessage, response: ServerResponse): void {
    let begun = false;
    const end = () => {
      if (begun) reads--;
      begun = false;
    };
    request[place] = {
      grow() {},
      async begin() {
        if (reads >= limits.reads) throw refusal();
        begun = true;
        reads++;
        connections.begin(request);
      },
      end,
    };
    connections.add(request, response, end);
  }

  function expectWrite(request: PlacedMessage, response: ServerResponse, dispatch: () => void): void {
    let bytes = 0;
    let gone = false;
    let stopWaiting = () => {};
    request[place] = {
      grow(more) {
        if (!gone) bytes = arrive(request, more);
      },
      async begin() {
        if (gone) throw notAwaited();
        connections.begin(request);
        const held = arriving.get(request) ?? 0; // counted on, but cut off no more
        arriving.delete(request);
        try {
          await new Promise<void>((resolve, reject) => {
            const letIn = () => {
              stopWaiting = () => {};
              writes++;
              writeBytes += bytes;
              resolve();
            };
            let leave = () => {};
            stopWaiting = () => {
              leave();
              reject(notAwaited());
            };
            leave = bodies.enter(bytes, letIn, () => reject(refusal()));
          });
        } finally {
          arrivingBytes -= held;
        }
        await turns(bytes);
      },
      end() {
        writes--;
        writeBytes -= bytes;
        letInSoon();
      },
    };
    const announced = announcedBytes(request);
    if (announced > maxBytes)
      dispatch(); // it is refused for that, and needs no place
    else stopWaiting = heads.enter(announced, dispatch, () => refuse(request, response));
    connections.add(request, response, () => {
      gone = true;
      stopWaiting();
      leave(request);
      letInSoon(); // it may have been let in and refused for another reason, and have taken no place
    });
  }

  function letInSoon(): void {
    bodies.letInSoon();
    heads.letInSoon();
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

  function refusal(): ServiceError {
    onRefusal("request_refused");
    return overloaded();
  }

  function refuse({ headers }: IncomingMessage, response: ServerResponse): void {
    onRefusal("request_refused");
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": body.length,
      "retry-after": String(retryAfter),
      ...(headers.expect !== undefined && { connection: "close" }), // whether its body follows is the client's choice
    });
    response.end(body);
  }

  for (const event of ["request", "checkContinue"]) {
    const [hapi] = listener.listeners(event) as [RequestListener];
    listener.removeAllListeners(event).on(event, (request: IncomingMessage, response: ServerResponse) => {
      const dispatch = () => hapi(request, response);
      if (isRead(request)) {
        if (isHealthCheck(request)) connections.add(request, response, () => {});
        else expectRead(request, response);
        dispatch();
      } else expectWrite(request, response, dispatch);
    });
  }
}

function notAwaited(): ServiceError {
  return new ServiceError("overloaded", "the caller did not wait for the answer");
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
const { message, code } = overloaded();
const body = JSON.stringify({ statusCode: status, error: "Service Unavailable", message, code });
