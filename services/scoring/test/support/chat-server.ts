import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One call of chat.postMessage, as the server took it. */
export interface ChatCall {
  readonly at: number;
  /** Of the address called: `/api/chat.postMessage`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly channel: string;
  readonly text: string;
  readonly thread_ts?: string;
  /** What it answered. */
  readonly reply: ChatReply;
}

/** How to answer a call: 200 with `ok`, 200 with an error, a status, or no answer at all. */
export type ChatReply =
  | { readonly ok: true }
  | { readonly error: string }
  | { readonly status: number; readonly retryAfter?: number }
  | { readonly hangUp: "before" | "after" };

/** A server that behaves like Slack's Web API for chat.postMessage. */
export interface ChatServer {
  /** For CHAT_API_URL. */
  readonly url: string;
  readonly calls: ChatCall[];
  /** The calls that were accepted. */
  readonly messages: () => ChatCall[];
  close(): Promise<void>;
}

/** @param reply decides each call; `count` is the number of calls before it */
export async function startChatServer(
  reply: (call: Omit<ChatCall, "reply">, count: number) => ChatReply = () => ({ ok: true }),
): Promise<ChatServer> {
  const calls: ChatCall[] = [];
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
    const answer = reply(call, calls.length);
    calls.push({ ...call, reply: answer });
    if ("hangUp" in answer) return void request.socket.destroy();
    if ("status" in answer) {
      if (answer.retryAfter !== undefined) response.setHeader("retry-after", answer.retryAfter);
      response.statusCode = answer.status;
      return void response.end();
    }
    response.setHeader("content-type", "application/json");
    const body =
      "error" in answer ? { ok: false, ...answer } : { ok: true, channel: call.channel, ts: `ts-${calls.length}` };
    response.end(JSON.stringify(body));
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
    messages: () => calls.filter(({ reply }) => "ok" in reply),
    close,
  };
}

/** `startChatServer` for one test. */
export async function useChatServer(...args: Parameters<typeof startChatServer>): Promise<ChatServer> {
  const server = await startChatServer(...args);
  onTestFinished(() => server.close());
  return server;
}
