import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

/** One call, as the server took it. */
export interface ChatCall {
  readonly at: number;
  /** Of the address called, such as `/api/chat.postMessage`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly channel: string;
  readonly text: string;
  readonly thread_ts?: string;
  /** What it answered. */
  readonly reply: ChatReply;
  /** The id of the message, where it accepted one. */
  readonly ts?: string;
}

/**
 * How to answer a call: 200 with `ok`, 200 with an error, 200 with some text, a status, or no answer at all. Without one,
 * the connection ends before the message is accepted, is reset, stays open until the caller gives up, or ends after the
 * message was accepted.
 */
export type ChatReply =
  | { readonly ok: true }
  | { readonly error: string }
  | { readonly body: string }
  | { readonly status: number; readonly retryAfter?: number }
  | { readonly hangUp: "before" | "reset" | "never" | "after" };

/** A server that behaves like Slack's Web API for chat.postMessage, and for auth.test. */
export interface ChatServer {
  /** For CHAT_API_URL. */
  readonly url: string;
  /** The calls of auth.test. They are none of `calls`, and have neither channel nor text. */
  readonly checks: ChatCall[];
  readonly calls: ChatCall[];
  /** The calls that were accepted, whether or not their sender knows. */
  readonly messages: () => ChatCall[];
  close(): Promise<void>;
}

/** Decides a call; `count` is the number of calls that were decided before it. */
export type ChatDecision = (call: Omit<ChatCall, "reply" | "ts">, count: number) => ChatReply | Promise<ChatReply>;

const accept: ChatDecision = () => ({ ok: true });

/** @param check decides the calls of auth.test; by default the token is good */
export async function startChatServer(
  decide: ChatDecision = accept,
  check: ChatDecision = accept,
): Promise<ChatServer> {
  const calls: ChatCall[] = [];
  const checks: ChatCall[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString("utf8")));
    const call = {
      at: Date.now(),
      path: request.url ?? "",
      headers: request.headers,
      channel: fields.channel ?? "",
      text: fields.text ?? "",
      ...(fields.thread_ts !== undefined && { thread_ts: fields.thread_ts }),
    };
    const isCheck = call.path.endsWith("/auth.test");
    const [taken, decision] = isCheck ? [checks, check] : [calls, decide];
    const answer = await decision(call, taken.length);
    const accepted = "ok" in answer || ("hangUp" in answer && answer.hangUp === "after");
    const ts = `ts-${taken.length + 1}`;
    taken.push({ ...call, reply: answer, ...(accepted && { ts }) });
    if ("hangUp" in answer) return hangUp[answer.hangUp](request.socket);
    if ("body" in answer) return void response.end(answer.body);
    if ("status" in answer) {
      if (answer.retryAfter !== undefined) response.setHeader("retry-after", answer.retryAfter);
      response.statusCode = answer.status;
      return void response.end();
    }
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(
        "error" in answer
          ? { ok: false, ...answer }
          : { ok: true, ...(isCheck ? { team: "Acme", user: "maturity" } : { channel: call.channel, ts }) },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    calls,
    checks,
    messages: () => calls.filter(({ ts }) => ts !== undefined),
    close,
  };
}

const hangUp = {
  before: (socket: Socket) => void socket.destroy(),
  after: (socket: Socket) => void socket.destroy(),
  reset: (socket: Socket) => void socket.resetAndDestroy(),
  never: () => {},
};

/** `startChatServer` for one test. */
export async function useChatServer(...args: Parameters<typeof startChatServer>): Promise<ChatServer> {
  const server = await startChatServer(...args);
  onTestFinished(() => server.close());
  return server;
}
