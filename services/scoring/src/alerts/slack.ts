import { ErrorCode, type Logger, LogLevel, type WebAPICallError, WebClient } from "@slack/web-api";
import type { ChatConfig } from "../config.ts";

/** A message to send. */
export interface ChatMessage {
  readonly channel: string;
  readonly text: string;
  /** The message it replies to. */
  readonly thread?: string;
}

/** What came of sending. Reasons are codes of the chat service or of the network, and repeat nothing that was sent. */
export type Sent =
  /** `message` is the chat service's id of it, absent where it gives none. */
  | { readonly status: "sent"; readonly message?: string }
  /** Try again, not before so many seconds. */
  | { readonly status: "retry"; readonly reason: string; readonly afterSeconds: number }
  /** Trying again cannot help. */
  | { readonly status: "refused"; readonly reason: string };

export type SendMessage = (message: ChatMessage) => Promise<Sent>;

/** How long one call may take, in milliseconds. */
const callLimitMs = 10_000;

/** Errors of chat.postMessage that pass by themselves; every other one needs a person. */
const passing = new Set([
  "fatal_error",
  "internal_error",
  "ratelimited",
  "rate_limited",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
]);

/** The client writes what the chat server says to the console; the queue logs what comes of each message. */
const silent: Logger = {
  ...{ debug() {}, info() {}, warn() {}, error() {} },
  ...{ setLevel() {}, setName() {}, getLevel: () => LogLevel.ERROR },
};

/** Sends through `chat.postMessage` of Slack's Web API. Retries are left to the queue. */
export function createSlackSender({ token, apiUrl }: ChatConfig): SendMessage {
  const client = new WebClient(token, {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/` }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    maxRequestConcurrency: Number.POSITIVE_INFINITY, // calls that hang must not hold up others
    timeout: callLimitMs,
    logger: silent,
  });
  return async ({ channel, text, thread }) => {
    try {
      const { ts } = await client.chat.postMessage({
        channel,
        text,
        ...(thread !== undefined && { thread_ts: thread }),
        parse: "none",
        link_names: false,
        unfurl_links: false,
        unfurl_media: false,
      });
      return { status: "sent", ...(ts && { message: ts }) };
    } catch (error) {
      return outcome(error as WebAPICallError);
    }
  };
}

/** Not an answer of the chat service, or 429 that does not say for how long. */
const unreadable = "no usable answer";

function outcome(error: WebAPICallError): Sent {
  switch (error.code) {
    case ErrorCode.RateLimitedError:
      return { status: "retry", reason: "rate limited", afterSeconds: error.retryAfter };
    case ErrorCode.PlatformError:
      return platformOutcome(error.data.error);
    case ErrorCode.HTTPError:
      return later(`HTTP status ${error.statusCode}`);
    case ErrorCode.RequestError:
      return later(networkCode(error.original));
    default:
      return later(unreadable);
  }
}

/** @param error Slack's code; the whole body, where that is not JSON: that of a gateway, which passes */
function platformOutcome(error: unknown): Sent {
  if (typeof error !== "string" || !/^[a-z_]{1,80}$/.test(error)) return later(unreadable);
  return passing.has(error) ? later(error) : { status: "refused", reason: error };
}

function later(reason: string): Sent {
  return { status: "retry", reason, afterSeconds: 0 };
}

/** Such as ECONNREFUSED, or TimeoutError. Messages of such errors may repeat the address. */
function networkCode({ name, cause }: Error): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : name;
}
