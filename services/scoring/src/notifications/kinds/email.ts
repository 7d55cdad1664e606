import Joi from "joi";
import { createTransport, type SendMailOptions } from "nodemailer";
import { withRule } from "../../model/fields.ts";
import { secretFile } from "../../model/settings-file.ts";
import type { Destination, Kind, Message, Sent } from "../destination.ts";
import { hostOf, longestAnswer, type Outwards } from "../outwards.ts";
import { headline, type Line, textOf, wordsOf } from "../words.ts";
import { unreachable } from "./http-answer.ts";

interface EmailSettings {
  readonly url: string;
  readonly user?: string;
  readonly password_file?: string;
  readonly from: string;
  readonly to: string | readonly string[];
}

const mailAddress = Joi.string()
  .email({ tlds: false })
  .messages({ "string.email": "must be a mail address such as maturity@example.com" });

const serverFault = "must be smtp://HOST:PORT or smtps://HOST:PORT, without a user and a password";

const server = withRule(Joi.string(), (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isGood = url && /^smtps?:$/.test(url.protocol) && url.hostname && !url.username && !url.password;
  return isGood ? undefined : serverFault;
});

/** Mail, by an SMTP server. */
export const email: Kind<EmailSettings> = {
  kind: "email",
  settings: {
    url: server.required(),
    user: Joi.string(),
    password_file: secretFile
      .when("user", { not: Joi.exist(), otherwise: Joi.required() })
      .when("user", { is: Joi.exist(), otherwise: Joi.forbidden() }),
    from: mailAddress.required(),
    to: Joi.alternatives(mailAddress, Joi.array().items(mailAddress).min(1).max(50)).required(),
  },
  create: createEmail,
};

function createEmail(settings: EmailSettings, outwards: Outwards): Destination {
  const { user, password_file: pass = "", from, to } = settings;
  const url = new URL(settings.url);
  const secure = url.protocol === "smtps:";
  const host = hostOf(url);
  const port = Number(url.port) || (secure ? 465 : user === undefined ? 25 : 587);
  return {
    ...{ kind: "email", pace: 0.2 },
    addressOf: () => "",
    async send(message, signal) {
      try {
        const transport = createTransport({
          ...{ host, port, secure, connection: await outwards.connect(host, port, signal) },
          ...(user !== undefined && { auth: { user, pass }, requireTLS: !secure }),
          ...{ disableFileAccess: true, disableUrlAccess: true },
          ...{ greetingTimeout: timeoutMs, socketTimeout: timeoutMs, maxResponseSize: longestAnswer },
        });
        try {
          const mail = mailOf(message, from);
          const { rejected } = await transport.sendMail({ from, to: typeof to === "string" ? to : [...to], ...mail });
          // Not sent again, because those that took it would get it twice.
          const warning = `the server refused ${rejected.length} of the recipients`;
          return { status: "sent", message: mail.messageId, ...(rejected.length > 0 && { warning }) };
        } finally {
          transport.close();
        }
      } catch (error) {
        return failure(error);
      }
    },
  };
}

/** Time limit of each answer of the server, in milliseconds. The signal of a message ends all. */
const timeoutMs = 10_000;

/** The parts of a mail. Its id is the same for each try; later mails of a subject reply to the first. */
export function mailOf(message: Message, from: string): SendMailOptions {
  const words = wordsOf(message);
  const { note, lead, title, lines, link } = words;
  const messageId = `<${message.id}@${from.slice(from.lastIndexOf("@") + 1)}>`;
  const head = lead === null ? strong(title) : `${strong(lead)}: ${escaped(title)}`;
  return {
    subject: `[Maturity] ${headline(words)}`,
    text: `${textOf(words)}${link === null ? "" : `\n\n${link}`}\n`,
    html: [
      ...(note === null ? [] : [`<p>${escaped(note)}</p>`]),
      `<p>${head}</p>`,
      ...lines.map(htmlLine),
      ...(link === null ? [] : [`<p><a href="${escaped(link)}">Board</a></p>`]),
    ].join("\n"),
    messageId,
    ...(message.thread !== null && { inReplyTo: message.thread, references: message.thread }),
  };
}

function htmlLine({ text, code, count, style }: Line): string {
  if (style === "heading") return `<p>${strong(count === undefined ? text : `${text} (${count})`)}</p>`;
  const place = code === undefined ? "" : `<code>${escaped(code)}</code> `;
  return `<div>${style === "item" ? "• " : ""}${place}${escaped(text)}</div>`;
}

function strong(text: string): string {
  return `<strong>${escaped(text)}</strong>`;
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** An answer of 500 and above cannot heal; of one below, or none, a later try may. The texts of servers are not repeated. */
function failure(error: unknown): Sent {
  const { responseCode } = error as { responseCode?: unknown };
  if (typeof responseCode !== "number") return unreachable(error);
  return { status: responseCode >= 500 ? "refused" : "failed", reason: `SMTP status ${responseCode}` };
}
