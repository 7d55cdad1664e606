import { CloudEvent, HTTP } from "cloudevents";
import { Webhook } from "standardwebhooks";
import { withRule } from "../../model/fields.ts";
import { secretFile } from "../../model/settings-file.ts";
import type { Destination, Kind, Message } from "../destination.ts";
import type { Outwards } from "../outwards.ts";
import { sentBy, unreachable } from "./http-answer.ts";
import { webAddress } from "./web-address.ts";

interface WebhookSettings {
  readonly url: string;
  readonly secret_file: string;
  readonly former_secret_file?: string;
}

/** How long a secret must be, in bytes: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const secretBytes = { least: 24, most: 64 };

const secret = withRule(secretFile, (text: string) => {
  const length = /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(text)
    ? Buffer.from(text.replace(/^whsec_/, ""), "base64").length
    : 0;
  return length >= secretBytes.least && length <= secretBytes.most
    ? undefined
    : "names a file whose text is not 24 to 64 bytes in base64, with or without whsec_";
});

/** Signed requests with a CloudEvents body, for programs. */
export const webhook: Kind<WebhookSettings> = {
  kind: "webhook",
  settings: {
    url: webAddress.required(),
    secret_file: secret.required(),
    former_secret_file: secret,
  },
  create: ({ url, secret_file, former_secret_file }, outwards) => {
    const secrets = [secret_file, ...(former_secret_file === undefined ? [] : [former_secret_file])];
    return createWebhook(new URL(url), secrets, outwards);
  },
};

/** @param secrets each signs the request, so that a receiver that knows one of them accepts it */
function createWebhook(url: URL, secrets: readonly string[], outwards: Outwards): Destination {
  const signers = secrets.map((secret) => new Webhook(secret));
  return {
    ...{ kind: "webhook", pace: 0 },
    addressOf: () => "",
    async send(message, signal) {
      const body = eventOf(message);
      const now = new Date();
      const headers = {
        "content-type": "application/cloudevents+json; charset=utf-8",
        "user-agent": "maturity-service",
        "webhook-id": message.id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
        "webhook-signature": signers.map((signer) => signer.sign(message.id, now, body)).join(" "),
      };
      try {
        return sentBy(await outwards.request(url, { headers, body, signal }), message.id);
      } catch (error) {
        return unreachable(error);
      }
    },
  };
}

/** A message as a CloudEvents 1.0 JSON document. Its id is the same for each try. */
export function eventOf({ id, fact, at, reports, thread, link }: Message): string {
  const { type, subject, data, ...names } = fact;
  const event = new CloudEvent({
    id,
    type: `maturity.${type}`,
    source: "/maturity",
    subject,
    time: at.toISOString(),
    datacontenttype: "application/json",
    data: { ...names, ...data, reports, is_first: thread === null, link },
  });
  return String(HTTP.structured(event).body);
}
