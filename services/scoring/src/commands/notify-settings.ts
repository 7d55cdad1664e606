import { chatSettings } from "../notifications/chat-settings.ts";
import { loadNotify } from "../notifications/notify-file.ts";
import type { NotifySettings } from "../notifications/routes.ts";
import type { Config } from "./config.ts";

/**
 * Where notifications go: as the file of NOTIFY says, else to the chat.
 *
 * @returns undefined if there is no destination
 * @throws OperatorError if the file cannot be read, or with every fault of it
 */
export async function loadNotifySettings({
  notifyFile,
  chat,
}: Pick<Config, "notifyFile" | "chat">): Promise<NotifySettings | undefined> {
  if (notifyFile !== undefined) return loadNotify(notifyFile);
  return chat && chatSettings(chat);
}
