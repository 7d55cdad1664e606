import { factTypes } from "../model/fact.ts";
import { createSlack } from "./kinds/slack.ts";
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

/** One Slack destination, which gets problems and the digest. */
export function chatSettings({ defaultChannel, ...chat }: ChatConfig): NotifySettings {
  const slack = createSlack({
    ...chat,
    ...(defaultChannel !== undefined && { channel: defaultChannel }),
    takesReported: true,
  });
  const types = factTypes.filter((type) => type.startsWith("problem.") || type === "digest");
  return {
    destinations: new Map([[chatName, slack]]),
    routes: [{ types, to: [chatName], continue: false }],
    asksRegistry: false,
    boardUrl: null,
  };
}
