import { ErrorCode, type Logger, LogLevel, type WebAPICallError, WebClient } from "@slack/web-api";

/** The chat to which alerts are sent. */
export interface ChatConfig {
  readonly token: string;
  /** Base URL of a server with Slack's Web API; by default Slack itself. */
  readonly apiUrl?: string;
  /** Channel for problems without `chat_channel`. */
  readonly defaultChannel?: string;
}

/**
 * The outcome of sending. A reason is a code of the chat service or of the network; it never repeats the text of the message.
 */
export type Sent =
  /** `message` is the chat service's id of the message, if it returned one. */
  | { readonly status: "sent"; readonly message: string | undefined }
  /** The chat service accepts nothing for the next so many seconds. */
  | { readonly status: "busy"; readonly reason: string; readonly seconds: number }
  /** A later try may succeed. */
  | { readonly status: "failed"; readonly reason: string }
  /** A later try cannot succeed. */
  | { readonly status: "refused"; readonly reason: string };

/** Sends a message. `thread` is the id of the message to reply to, if any. */
export type SendMessage = (message: { channel: string; text: string; thread?: string | null }) => Promise<Sent>;

/** The reason for an answer that is not Slack's, or for a 429 without a waiting time. */
const unreadable = "no usable answer";

/** Errors of chat.postMessage that are temporary. All others need an admin. */
const temporaryErrors =
  /^(?:fatal_error|internal_error|rate_?limited|request_timeout|service_unavailable|team_added_to_org)$/;

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
        ...(thread && { thread_ts: thread }),
        parse: "none",
        link_names: false,
        unfurl_links: false,
        unfurl_media: false,
      });
      return { status: "sent", message: ts };
    } catch (error) {
      return failure(error as WebAPICallError);
    }
  };
}

/**
 * Gets the owner of the token by one call of `auth.test` of Slack's Web API.
 *
 * @param limitMs time limit of the call, in milliseconds
 * @throws Error that says whether the chat service refuses the token, so that alerts become dead letters, or did not answer
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

function failure(error: WebAPICallError): Exclude<Sent, { status: "sent" }> {
  switch (error.code) {
    case ErrorCode.RateLimitedError: {
      const { retryAfter: seconds } = error;
      return { status: seconds > 0 ? "busy" : "failed", reason: "rate limited", seconds };
    }
    case ErrorCode.PlatformError: {
      const reason: unknown = error.data.error; // the whole body of an answer that is not JSON, as from a gateway
      if (typeof reason !== "string" || !/^[a-z_]{1,80}$/.test(reason)) return { status: "failed", reason: unreadable };
      return { status: temporaryErrors.test(reason) ? "failed" : "refused", reason };
    }
    case ErrorCode.HTTPError:
      return { status: "failed", reason: `HTTP status ${error.statusCode}` };
    case ErrorCode.RequestError:
      return { status: "failed", reason: networkCode(error.original) };
    default:
      return { status: "failed", reason: unreadable };
  }
}

/**
 * A code such as ECONNREFUSED, or a name such as TimeoutError. The messages of such errors are not used, because they
 * may repeat the address.
 */
function networkCode({ name, cause }: Error): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : name;
}
