import { ErrorCode, type Logger, LogLevel, type WebAPICallError, WebClient } from "@slack/web-api";

/** Where alerts go. */
export interface ChatConfig {
  readonly token: string;
  /** Base address of a server that speaks Slack's Web API; Slack itself when absent. */
  readonly apiUrl?: string;
  /** Used for a problem without `chat_channel`. */
  readonly defaultChannel?: string;
}

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

type Failed = Exclude<Sent, { status: "sent" }>;

export type SendMessage = (message: ChatMessage) => Promise<Sent>;

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

/**
 * Sends through `chat.postMessage` of Slack's Web API. Retries are left to the queue.
 *
 * @param limitMs how long one call may take, in milliseconds
 */
export function createSlackSender(config: ChatConfig, limitMs = 10_000): SendMessage {
  const client = connect(config, limitMs);
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
      return failure(error as WebAPICallError);
    }
  };
}

/** What the chat service says of the token. */
export type TokenCheck =
  | { readonly status: "valid"; readonly team: string; readonly bot: string }
  /** The chat service refuses it: alerts will be given up until a person mends it. `reason` is a code, as in `Sent`. */
  | { readonly status: "invalid"; readonly reason: string }
  /** The chat service could not be asked, or has no `auth.test`; alerts are sent once it can be reached. */
  | { readonly status: "unknown"; readonly reason: string };

/**
 * Asks `auth.test` of Slack's Web API, once, whose token it is. Never throws.
 *
 * @param limitMs how long the answer may take, in milliseconds
 */
export async function checkSlackToken(config: ChatConfig, limitMs = 3_000): Promise<TokenCheck> {
  try {
    const { team = "", user = "" } = await connect(config, limitMs).auth.test();
    return { status: "valid", team, bot: user };
  } catch (error) {
    const { status, reason } = failure(error as WebAPICallError);
    return { status: status === "refused" && reason !== "unknown_method" ? "invalid" : "unknown", reason };
  }
}

function connect({ token, apiUrl }: ChatConfig, timeout: number): WebClient {
  return new WebClient(token, {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/` }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    maxRequestConcurrency: Number.POSITIVE_INFINITY, // calls that hang must not hold up others
    timeout,
    logger: silent,
  });
}

/** Not an answer of the chat service, or 429 that does not say for how long. */
const unreadable = "no usable answer";

function failure(error: WebAPICallError): Failed {
  switch (error.code) {
    case ErrorCode.RateLimitedError:
      return { status: "retry", reason: "rate limited", afterSeconds: error.retryAfter };
    case ErrorCode.PlatformError:
      return platformFailure(error.data.error);
    case ErrorCode.HTTPError:
      return later(`HTTP status ${error.statusCode}`);
    case ErrorCode.RequestError:
      return later(networkCode(error.original));
    default:
      return later(unreadable);
  }
}

/** @param error Slack's code; the whole body, where that is not JSON: that of a gateway, which passes */
function platformFailure(error: unknown): Failed {
  if (typeof error !== "string" || !/^[a-z_]{1,80}$/.test(error)) return later(unreadable);
  return passing.has(error) ? later(error) : { status: "refused", reason: error };
}

function later(reason: string): Failed {
  return { status: "retry", reason, afterSeconds: 0 };
}

/** Such as ECONNREFUSED, or TimeoutError. Messages of such errors may repeat the address. */
function networkCode({ name, cause }: Error): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : name;
}
