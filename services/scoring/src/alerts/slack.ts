import { ErrorCode, type Logger, LogLevel, type WebAPICallError, WebClient } from "@slack/web-api";

/** Where alerts are sent. */
export interface ChatConfig {
  readonly token: string;
  /** Base address of a server with Slack's Web API. Slack itself if absent. */
  readonly apiUrl?: string;
  /** Channel for problems without `chat_channel`. */
  readonly defaultChannel?: string;
}

/** A message to send. */
export interface ChatMessage {
  readonly channel: string;
  readonly text: string;
  /** Id of the message to reply to. */
  readonly thread?: string;
}

/**
 * The result of sending. A reason is a code of the chat service or of the network; it never repeats the text of the
 * message.
 */
export type Sent =
  /** `message` is the chat service's id of the message, if it returned one. */
  | { readonly status: "sent"; readonly message?: string }
  /** To be tried again, after this many seconds at the earliest. */
  | { readonly status: "retry"; readonly reason: string; readonly afterSeconds: number }
  /** Trying again cannot help. */
  | { readonly status: "refused"; readonly reason: string };

type Failed = Exclude<Sent, { status: "sent" }>;

export type SendMessage = (message: ChatMessage) => Promise<Sent>;

/** Errors of chat.postMessage that are temporary. All others need a person. */
const passing = new Set([
  "fatal_error",
  "internal_error",
  "ratelimited",
  "rate_limited",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
]);

/** Keeps the client from writing to the console. The queue logs the result of each message. */
const silent: Logger = {
  ...{ debug() {}, info() {}, warn() {}, error() {} },
  ...{ setLevel() {}, setName() {}, getLevel: () => LogLevel.ERROR },
};

/**
 * Sends messages by `chat.postMessage` of Slack's Web API, without retries.
 *
 * @param limitMs time limit of one call, in milliseconds
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

/**
 * Asks `auth.test` of Slack's Web API once who owns the token.
 *
 * @param limitMs time limit of the call, in milliseconds
 * @throws Error that says whether the chat service refuses the token, so that alerts are given up until a person corrects
 * it, or could not be asked
 */
export async function askForBot(config: ChatConfig, limitMs = 3_000): Promise<{ team: string; bot: string }> {
  try {
    const { team = "", user = "" } = await connect(config, limitMs).auth.test();
    return { team, bot: user };
  } catch (error) {
    const { status, reason } = failure(error as WebAPICallError);
    const isRefused = status === "refused" && reason !== "unknown_method"; // not every chat service has this call
    throw new Error(`${isRefused ? "it refuses CHAT_BOT_TOKEN" : "it cannot be asked"}: ${reason}`);
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

/** The reason for an answer that is not Slack's, or for a 429 without a waiting time. */
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

/**
 * @param error Slack's error code. If the answer is not JSON, as from a gateway, it is the whole body; such an error is
 * temporary.
 */
function platformFailure(error: unknown): Failed {
  if (typeof error !== "string" || !/^[a-z_]{1,80}$/.test(error)) return later(unreadable);
  return passing.has(error) ? later(error) : { status: "refused", reason: error };
}

function later(reason: string): Failed {
  return { status: "retry", reason, afterSeconds: 0 };
}

/**
 * A code such as ECONNREFUSED, or a name such as TimeoutError. The messages of such errors are not used, because they
 * may repeat the address.
 */
function networkCode({ name, cause }: Error): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : name;
}
