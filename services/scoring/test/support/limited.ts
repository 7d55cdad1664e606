import { once } from "node:events";
import {
  type Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type Limits, limitLoad, slotOf } from "../../src/http/limits.ts";
import type { Refusal } from "../../src/http/refusals.ts";
import { ServiceError } from "../../src/model/errors.ts";

const roomy: Limits = {
  ...{ connections: 100, arrivingBytes: 1_000_000, open: 100 },
  ...{ reports: { atOnce: 100, bytes: 1_000_000 }, reads: { atOnce: 100 }, scrapes: { atOnce: 100 } },
};

/** A listener with limits, which answers what is under way when it is asked to. It does not know who asks for `…/stranger`. */
export interface Limited {
  readonly port: number;
  readonly refusals: Refusal[];
  /** How many are open. */
  connections(): number;
  /** How many requests came, refused ones and those that wait included. */
  arrived(): number;
  /** Bytes of bodies that came. */
  received(): number;
  /** The paths of requests whose work has begun and that have no answer yet. */
  underWay(): string[];
  /** Answers the request that has been under way longest. */
  answer(): void;
}

/** Starts a listener with these limits and room for all else, for one test. */
export async function useLimited(limits: Partial<Limits>): Promise<Limited> {
  const refusals: Refusal[] = [];
  const underWay: { path: string; finish: () => void }[] = [];
  let arrived = 0;
  let received = 0;
  let connections = 0;
  async function take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const slot = slotOf(incoming);
    try {
      for await (const chunk of incoming) {
        received += chunk.length;
        slot.grow(chunk.length);
      }
      const isKnown = !incoming.url?.endsWith("/stranger");
      if (incoming.url?.endsWith("/open")) slot.open();
      else if (isKnown) await slot.begin();
      const finish = () => {
        if (isKnown) slot.end();
        response.end("ok");
      };
      underWay.push({ path: incoming.url ?? "", finish });
    } catch (error) {
      if (error instanceof ServiceError) response.writeHead(503).end(error.code);
    }
  }
  const listener = createServer(take).on("checkContinue", take);
  limitLoad(listener, { ...roomy, ...limits }, (what) => refusals.push(what));
  listener.on("request", () => arrived++);
  listener.on("connection", (socket) => {
    connections++;
    socket.once("close", () => connections--);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return {
    port: (listener.address() as AddressInfo).port,
    refusals,
    connections: () => connections,
    arrived: () => arrived,
    received: () => received,
    underWay: () => underWay.map(({ path }) => path),
    answer: () => void underWay.shift()?.finish(),
  };
}

/** A request with its answer. */
export interface Sent {
  readonly request: ClientRequest;
  readonly answer: Promise<{ status: number; headers: IncomingMessage["headers"]; body: string }>;
}

export interface SendOptions {
  /** Length of its body, by default 0. */
  readonly bytes?: number;
  /** Does its head keep quiet about that? */
  readonly chunked?: boolean;
  readonly expect?: "100-continue";
  /** Connects for it, by default on a connection of its own. */
  readonly agent?: Agent;
}

/** Begins a request, whose body is left to the caller. */
export function begin({ port }: Limited, path: string, options: SendOptions = {}): Sent {
  const { bytes = 0, chunked = false, agent = false, ...headers } = options;
  const outgoing = request({
    ...{ port, host: "127.0.0.1", path, agent },
    ...(path.startsWith("/write") && { method: "POST" }),
    headers: { ...headers, ...(!chunked && { "content-length": bytes }) },
  });
  const answer = once(outgoing, "response").then(async ([response]: IncomingMessage[]) => {
    if (!response) throw new Error("no response");
    const body = (await response.setEncoding("utf8").toArray()).join("");
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  });
  answer.catch(() => {});
  outgoing.on("error", () => {});
  return { request: outgoing, answer };
}

/** Sends a whole request. */
export function send(limited: Limited, path: string, options: SendOptions = {}): Sent["answer"] {
  const { request, answer } = begin(limited, path, options);
  request.end("x".repeat(options.bytes ?? 0));
  return answer;
}

export const statusOf = async (answer: Sent["answer"]): Promise<number> => (await answer).status;

/** A connection on which nothing is sent yet, for one test. */
export async function useSocket({ port }: Limited): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket.resume();
}

/** Waits until a connection is closed, and be it by force. */
export function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}
