import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { maxBodyBytes } from "@maturity/core/wire";
import { errorTable, overloaded } from "../model/errors.ts";
import { createQueue, type QueueLimits } from "../store/queue.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import { deadlineOf } from "./deadline.ts";
import type { Refusal } from "./refusals.ts";
import { classOf, type RequestClass } from "./request-class.ts";
import { createRoom, type Share } from "./room.ts";

/** Limits of what a process accepts at the same time. */
export interface Limits extends Readonly<Record<RequestClass, QueueLimits>> {
  /** Open connections. A further one replaces the connection that has been waiting longest. */
  readonly connections: number;
  /** Bytes of bodies that are still arriving. Beyond this limit, the slowest of them is cut off. */
  readonly arrivingBytes: number;
  /** Answers that everybody may read. A further one replaces the one that is under way longest. */
  readonly open: number;
}

/**
 * 1,000 single scores, or 10 batches of 1,000, are less than a second of work. Submissions wait only in numbers that can be
 * stored within their deadline.
 */
export const processLimits: Limits = {
  connections: 4_000,
  arrivingBytes: 32 * 1_048_576,
  open: 250,
  reports: { atOnce: 1_000, waiting: 2_000, bytes: 2 * 1_048_576 },
  reads: { atOnce: 250 },
  scrapes: { atOnce: 250 },
};

/** The slot of a request in the queue of its class. */
export interface Slot {
  /** Further bytes of the body have arrived. */
  grow(bytes: number): void;
  /**
   * Resolves when work on the request may begin. To be called after the caller is identified and the body has arrived.
   *
   * @throws ServiceError `overloaded`
   */
  begin(): Promise<void>;
  /** Begins work for a caller that nobody has identified. It takes no slot from those that are. */
  open(): void;
  /**
   * Releases the slot. A write keeps its slot until then, even if its connection is closed; a read also loses it when
   * it is answered or its connection is closed.
   */
  end(): void;
}

/** A property of the request. A WeakMap would take a tenth of the time of a write. */
const slot: unique symbol = Symbol("slot");

interface LimitedMessage extends IncomingMessage {
  [slot]?: Slot;
}

/** Requests without a connection, as in tests, are not limited. */
const unlimited: Slot = { grow() {}, async begin() {}, open() {}, end() {} };

/** The slot of a request. */
export function slotOf(request: LimitedMessage): Slot {
  return request[slot] ?? unlimited;
}

interface Connection {
  readonly share: Share;
  /** Callbacks of its open requests. A client that does not wait for answers has several. */
  readonly requests: Set<() => void>;
}

/**
 * Limits the work that the listener accepts. A new connection is always accepted, so that a health check gets through.
 * Submissions that the full queue cannot take are refused here: a refusal through hapi would cost more than an accepted
 * request.
 *
 * @param onRefusal called for every refusal here
 */
export function limitLoad(listener: Server, limits: Limits, onRefusal: (what: Refusal) => void): void {
  const queues = {
    reports: createQueue(limits.reports),
    reads: createQueue(limits.reads),
    scrapes: createQueue(limits.scrapes),
  };
  const connections = new Map<Socket, Connection>();
  const [newConnection, newBody] = [createRoom(limits.connections), createRoom(limits.arrivingBytes)];
  const newOpen = createRoom(limits.open);
  yieldToEventLoop.watch(listener);

  function mayBeCutOff(share: Share, socket: Socket, what: Refusal): void {
    share.yields(() => {
      socket.destroy();
      onRefusal(what);
    });
  }

  listener.on("connection", (socket: Socket) => {
    const connection: Connection = { share: newConnection(), requests: new Set() };
    connections.set(socket, connection);
    mayBeCutOff(connection.share, socket, "connection_closed");
    connection.share.grow(1);
    socket.once("close", () => {
      connections.delete(socket);
      connection.share.release();
      for (const over of connection.requests) over();
    });
  });

  /** @param onOver called once, when the request was answered or its connection closed */
  function follow({ socket }: IncomingMessage, response: ServerResponse, onOver: () => void): void {
    const connection = connections.get(socket);
    if (!connection) {
      onOver();
      return;
    }
    const over = () => {
      if (!connection.requests.delete(over)) return;
      onOver();
      if (connection.requests.size === 0 && !socket.destroyed) {
        mayBeCutOff(connection.share, socket, "connection_closed");
      }
    };
    connection.requests.add(over);
    response.on("close", over);
  }

  function expectWork(request: LimitedMessage, response: ServerResponse): void {
    const kind = classOf(request);
    const deadline = deadlineOf(request);
    const body = newBody();
    let bytes = 0;
    let isOver = false;
    let leave = () => {};
    request[slot] = {
      grow(more) {
        if (isOver) return;
        if (bytes === 0) mayBeCutOff(body, request.socket, "body_cut_off");
        bytes += more;
        body.grow(more);
      },
      async begin() {
        body.release();
        if (!isOver) connections.get(request.socket)?.share.stays();
        leave = await queues[kind].enter(deadline.signal, bytes);
        if (kind === "reports") await yieldToEventLoop.begin();
        else if (isOver) leave();
      },
      open() {
        if (isOver) return;
        const share = newOpen();
        share.grow(1);
        mayBeCutOff(share, request.socket, "open_cut_off");
        leave = share.release;
      },
      end: () => leave(),
    };
    follow(request, response, () => {
      isOver = true;
      body.release();
      deadline.end(response.writableFinished);
      if (kind !== "reports") leave();
    });
  }

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    follow(request, response, () => {});
    onRefusal("request_refused");
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": refusal.length,
      "retry-after": String(retryAfter),
      ...(request.headers.expect !== undefined && { connection: "close" }), // whether its body follows is the client's choice
    });
    response.end(refusal);
  }

  /** Whether the queue is full. hapi refuses a body above the limit for its size. */
  function isTooMany(request: IncomingMessage): boolean {
    const announced = Number(request.headers["content-length"] ?? 0);
    return classOf(request) === "reports" && announced <= maxBodyBytes && queues.reports.isFull(announced);
  }

  for (const event of ["request", "checkContinue"]) {
    const [hapi] = listener.listeners(event) as [RequestListener];
    listener.removeAllListeners(event).on(event, (request: IncomingMessage, response: ServerResponse) => {
      if (isTooMany(request)) return refuse(request, response);
      if (isHealthCheck(request)) follow(request, response, () => {});
      else expectWork(request, response);
      hapi(request, response);
    });
  }
}

function isHealthCheck(request: IncomingMessage): boolean {
  return classOf(request) === "reads" && /^\/(?:healthz|livez)(?:\?|$)/.test(request.url ?? "");
}

const { status, retryAfter = 1 } = errorTable.overloaded;
const { message, code } = overloaded();
const refusal = JSON.stringify({ statusCode: status, error: "Service Unavailable", message, code });
