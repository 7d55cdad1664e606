import { factTypes } from "../model/fact.ts";
import { createSlack } from "./kinds/slack.ts";
import { createOutwards } from "./outwards.ts";
import type { NotifySettings } from "./routes.ts";

/** The chat of the settings without a file of destinations. */
export interface ChatConfig {
  readonly token: string;
  /** Base URL of a server with Slack's Web API; by default Slack itself. */
  readonly apiUrl?: string;
  /** Channel for problems without `chat_channel`. */
  readonly defaultChannel?: string;
}

/** The name of the destination that the chat is. */
export const chatName = "chat";

/** One Slack destination, which gets problems and the digest. A chat of one's own is often in a private network. */
export function chatSettings({ token, apiUrl, defaultChannel }: ChatConfig): NotifySettings {
  const settings = { token_file: token, api_url: apiUrl, channel: defaultChannel, report_channel: true };
  const slack = createSlack(settings, createOutwards({ allowPrivate: true }));
  const types = factTypes.filter((type) => type.startsWith("problem.") || type === "digest");
  return {
    destinations: new Map([[chatName, slack]]),
    routes: [{ types, to: [chatName], continue: false }],
    asksRegistry: false,
    boardUrl: null,
  };
}
