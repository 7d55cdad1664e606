import { ErrorCode, LogLevel, type WebAPICallError, WebClient } from "@slack/web-api";
import type { ChatConfig } from "../config.ts";

/** A message to send. */
export interface ChatMessage {
  readonly channel: string;
  readonly text: string;
  /** The message it replies to. */
  readonly thread?: string;
}

/** What came of sending. */
export type Sent =
  | { readonly status: "sent"; readonly message: string }
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

/** Sends through `chat.postMessage` of Slack's Web API. Retries are left to the queue. */
export function createSlackSender({ token, apiUrl }: ChatConfig): SendMessage {
  const client = new WebClient(token, {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/` }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: callLimitMs,
    logLevel: LogLevel.ERROR,
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
      return { status: "sent", message: ts ?? "" };
    } catch (error) {
      return outcome(error as WebAPICallError);
    }
  };
}

function outcome(error: WebAPICallError): Sent {
  switch (error.code) {
    case ErrorCode.RateLimitedError:
      return { status: "retry", reason: "rate limited", afterSeconds: error.retryAfter };
    case ErrorCode.PlatformError: {
      const reason = error.data.error;
      return passing.has(reason) ? { status: "retry", reason, afterSeconds: 0 } : { status: "refused", reason };
    }
    default:
      return { status: "retry", reason: error.message, afterSeconds: 0 };
  }
}
