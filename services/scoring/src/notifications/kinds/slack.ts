import {
  ErrorCode,
  type Logger,
  LogLevel,
  type WebAPICallError,
  WebClient,
  type WebClientOptions,
} from "@slack/web-api";
import Joi from "joi";
import { name } from "../../model/fields.ts";
import { secretFile } from "../../model/settings-file.ts";
import type { Destination, Kind, Message, Unsent } from "../destination.ts";
import type { Outwards } from "../outwards.ts";
import { type Line, type Words, wordsOf } from "../words.ts";
import { unreachable } from "./http-answer.ts";
import { webAddress } from "./web-address.ts";

/** A workspace of Slack, or of a server that speaks its Web API. */
export interface SlackSettings {
  /** The token itself, not the name of its file. */
  readonly token_file: string;
  /** The channel for facts without a channel of their own. */
  readonly channel?: string | undefined;
  /** Base URL of a server with Slack's Web API; by default Slack itself. */
  readonly api_url?: string | undefined;
  /** A problem goes to the `chat_channel` of its submission, if it names one. */
  readonly report_channel?: boolean;
}

export const slack: Kind<SlackSettings> = {
  kind: "slack",
  settings: {
    token_file: secretFile.required(),
    channel: name(200).required(),
    api_url: webAddress,
    report_channel: Joi.boolean(),
  },
  create: createSlack,
};

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
export function createSlack(settings: SlackSettings, outwards: Outwards, limitMs = 10_000): Destination {
  const client = connect(settings, outwards, limitMs);
  return {
    // Slack accepts about one message a second and channel: https://docs.slack.dev/apis/web-api/rate-limits
    ...{ kind: "slack", pace: 1 },
    addressOf: (reported) => (settings.report_channel ? reported : undefined) ?? settings.channel,
    async send(message) {
      try {
        const { ts } = await client.chat.postMessage({
          channel: message.address,
          text: slackText(message),
          ...(message.thread && { thread_ts: message.thread }),
          parse: "none",
          link_names: false,
          unfurl_links: false,
          unfurl_media: false,
        });
        return { status: "sent", message: ts };
      } catch (error) {
        return failure(error as WebAPICallError);
      }
    },
    check: () => askForBot(settings, outwards),
  };
}

/** A message in Slack's mark-up. */
export function slackText(message: Message): string {
  const { note, lines, link, ...words } = wordsOf(message);
  return [
    ...(note === null ? [] : [note]),
    headOf(words),
    ...lines.map(slackLine),
    ...(link === null ? [] : [`<${escaped(link)}|Board>`]),
  ].join("\n");
}

function headOf({ lead, title }: Pick<Words, "lead" | "title">): string {
  return lead === null ? `*${escaped(title)}*` : `*${escaped(lead)}*: ${escaped(title)}`;
}

function slackLine({ text, code, count, style }: Line): string {
  const all = [code, text].filter(Boolean).map((part) => escaped(String(part)));
  if (style === "heading") return `*${all.join(" ")}*${count === undefined ? "" : ` (${count})`}`;
  return `${style === "item" ? "• " : ""}${all.join(" ")}`;
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * Gets the owner of the token by one call of `auth.test` of Slack's Web API.
 *
 * @param limitMs time limit of the call, in milliseconds
 * @throws Error that says whether the chat service refuses the token, so that messages become dead letters, or did not answer
 */
export async function askForBot(
  settings: Pick<SlackSettings, "token_file" | "api_url">,
  outwards: Outwards,
  limitMs = 3_000,
): Promise<{ team: string; bot: string }> {
  try {
    const { team = "", user = "" } = await connect(settings, outwards, limitMs).auth.test();
    return { team, bot: user };
  } catch (error) {
    const { status, reason } = failure(error as WebAPICallError);
    const isRefused = status === "refused" && reason !== "unknown_method"; // not every chat service has this call
    throw new Error(`${isRefused ? "it refuses the token" : "it cannot be asked"}: ${reason}`);
  }
}

function connect(
  { token_file: token, api_url: url }: Pick<SlackSettings, "token_file" | "api_url">,
  outwards: Outwards,
  timeout: number,
): WebClient {
  return new WebClient(token, {
    ...(url !== undefined && { slackApiUrl: url.endsWith("/") ? url : `${url}/` }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    maxRequestConcurrency: Number.POSITIVE_INFINITY, // calls that hang must not hold up others
    timeout,
    logger: silent,
    fetch: fetchBy(outwards, timeout),
  });
}

/** Makes the client call over connections whose addresses are checked. */
function fetchBy(outwards: Outwards, limitMs: number): NonNullable<WebClientOptions["fetch"]> {
  return async (url, { headers = {}, body = "", signal = AbortSignal.timeout(limitMs) } = {}) => {
    const answer = await outwards.request(new URL(url), { headers, body: String(body), signal });
    const { status } = answer;
    return {
      ...{ ok: status >= 200 && status < 300, status, statusText: "", url: String(url) },
      headers: new Headers(
        Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
      ),
      arrayBuffer: async () => new TextEncoder().encode(answer.body).buffer,
      json: async () => JSON.parse(answer.body),
      text: async () => answer.body,
    };
  };
}

function failure(error: WebAPICallError): Unsent {
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
      return unreachable(error.original);
    default:
      return { status: "failed", reason: unreadable };
  }
}
