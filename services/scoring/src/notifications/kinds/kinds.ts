import type { Kind } from "../destination.ts";
import { email } from "./email.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";

/** All kinds of destinations. Another one is a file beside this one, and its line here. */
// biome-ignore lint/suspicious/noExplicitAny: each kind reads its own settings, which its schema has checked
export const kinds: readonly Kind<any>[] = [slack, webhook, teams, email];
