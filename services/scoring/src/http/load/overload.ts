import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { maxBodyBytes } from "@maturity/core";
import { errorTable, overloaded, ServiceError } from "../../model/errors.ts";
import { deadlineOf } from "../deadline.ts";
import { slice } from "../slices.ts";
import { limitConnections } from "./connections.ts";
import type { Refusal } from "./refusals.ts";
import { createWaitingLine, type OnTheirWay } from "./waiting-line.ts";

/** Limits of the work that a process accepts at the same time. */
export interface Limits {
  /** Open connections. A further one replaces the connection that has been waiting longest. */
  readonly connections: number;
  /** Writes whose body has arrived. */
  readonly writes: number;
  /** Bytes of these bodies. A single write is accepted whatever its size. */
  readonly writeBytes: number;
  /** Writes that wait for room. */
  readonly waiting: number;
  /** Reads of identified callers, except for scrapes and health checks. */
  readonly reads: number;
  /** Scrapes of identified callers. */
  readonly scrapes: number;
  /** Bytes of bodies that are still arriving or waiting. Beyond this limit, the slowest of them is cut off. */
  readonly arrivingBytes: number;
}

/** 1,000 single scores, or 10 batches of 1,000, are less than a second of work. */
export const processLimits: Limits = {
  connections: 4_000,
  writes: 1_000,
  writeBytes: 2 * 1_048_576,
  waiting: 4_000,
  reads: 250,
  scrapes: 250,
  arrivingBytes: 32 * 1_048_576,
};

/** A request's place among those being worked on. */
export interface Place {
  /** Further bytes of the body have arrived. */
  grow(bytes: number): void;
  /**
   * Resolves when work on the request may begin: the caller is identified and the body has arrived. A write may still
   * have to wait here, if its body is larger than announced or if others were faster.
   *
   * @throws ServiceError `overloaded`
   */
  begin(): Promise<void>;
  /**
   * Releases the place of a write. Its place is taken until then, even if the caller is gone. The place of a read is
   * released when the caller is gone.
   */
  end(): void;
}

/** Requests carry their place as a property. Looking it up in a WeakMap would take a tenth of the time of a write. */
const place: unique symbol = Symbol("place");

interface PlacedMessage extends IncomingMessage {
  [place]?: Place;
}

/** Requests without a connection, as in tests, are not limited. */
const unlimited: Place = { grow() {}, async begin() {}, end() {} };

/** The place of a request. */
export function placeOf(request: PlacedMessage): Place {
  return request[place] ?? unlimited;
}

/** How long a write waits for its place before it is refused, in milliseconds. */
const waitMs = 1_000;

/**
 * Bounds the work that the listener accepts. Writes beyond a limit wait here, before hapi sees them, and are refused
 * here: a refusal through hapi would cost more than an accepted request. They wait before they are refused because
 * refused clients come again.
 *
 * @param onRefusal called for every refusal
 */
export function limitLoad(listener: Server, limits: Limits, onRefusal: (what: Refusal) => void): void {
  const connections = limitConnections(listener, limits.connections, () => onRefusal("connection_closed"));
  slice.watch(listener);
  /** Two lines: requests of which only the head was read, and requests whose body is here. The latter come first. */
  const heads = createWaitingLine(limits.waiting, waitMs, hasRoom);
  const bodies = createWaitingLine(limits.waiting, waitMs, (bytes) => hasRoom(bytes));
  /** Bytes of incomplete bodies, in the order in which the bodies began. */
  const arriving = new Map<IncomingMessage, number>();
  let arrivingBytes = 0;
  let writes = 0;
  let writeBytes = 0;
  const reading = { reads: 0, scrapes: 0 };

  function hasRoom(bytes: number, onTheirWay: OnTheirWay = { count: 0, bytes: 0 }): boolean {
    const taken = writeBytes + onTheirWay.bytes;
    return writes + onTheirWay.count < limits.writes && (taken === 0 || taken + bytes <= limits.writeBytes);
  }

  function expectRead(request: PlacedMessage, response: ServerResponse): void {
    const kind = isScrape(request) ? "scrapes" : "reads";
    let begun = false;
    let gone = false;
    const end = () => {
      if (begun) reading[kind]--;
      begun = false;
    };
    request[place] = {
      grow() {},
      async begin() {
        if (gone) throw notAwaited();
        if (reading[kind] >= limits[kind]) throw refusal();
        begun = true;
        reading[kind]++;
        connections.begin(request);
      },
      end,
    };
    connections.add(request, response, () => {
      gone = true;
      end();
    });
  }

  function expectWrite(request: PlacedMessage, response: ServerResponse, dispatch: () => void): void {
    let bytes = 0;
    let gone = false;
    let stopWaiting = () => {};
    const deadline = deadlineOf(request);
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
        await slice.begin();
      },
      end() {
        writes--;
        writeBytes -= bytes;
        letInSoon();
      },
    };
    const announced = announcedBytes(request);
    if (announced > maxBodyBytes)
      dispatch(); // it is refused for that, and needs no place
    else stopWaiting = heads.enter(announced, dispatch, () => refuse(request, response));
    connections.add(request, response, () => {
      gone = true;
      deadline.end(response.writableFinished);
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

function isScrape({ url = "" }: IncomingMessage): boolean {
  return /^\/metrics(?:[/?]|$)/.test(url);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** The announced length of the body; 0 if it comes in chunks. */
function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

const { status, retryAfter = 1 } = errorTable.overloaded;
const { message, code } = overloaded();
const body = JSON.stringify({ statusCode: status, error: "Service Unavailable", message, code });
