import { join } from "node:path";
import { useChatServer } from "../../test/support/chat-server.ts";
import { mailDestination, notifyFolder, secretOf, useMailServer, usePeer } from "../../test/support/peers.ts";
import { query } from "../../test/support/postgres.ts";
import { announcedBy } from "./reports.ts";

/** A destination of each kind, to which each fact goes. */
export interface EveryKind {
  /** What the service needs to know of them. */
  readonly environment: Readonly<Record<string, string>>;
  /** The names of the reports that each kind took, as `nameOf` gives them, in their order. */
  taken(): Readonly<Record<string, readonly string[]>>;
  /** The same, with those that wait to be sent. */
  takenOrWaiting(databaseUrl: string): Promise<Readonly<Record<string, readonly string[]>>>;
}

/**
 * Destinations of all kinds for one test.
 *
 * @param refuses whether they refuse for ever what they get now
 */
export async function useEveryKind(refuses: () => boolean = () => false): Promise<EveryKind> {
  const bodies = { webhook: [] as string[], teams: [] as string[] };
  const peerOf = (kind: keyof typeof bodies) =>
    usePeer(({ body }) => {
      if (refuses()) return { status: 410 };
      bodies[kind].push(body);
      return { status: 202 };
    });
  const [webhook, teams] = [await peerOf("webhook"), await peerOf("teams")];
  const chat = await useChatServer(() => (refuses() ? { error: "invalid_auth" } : { ok: true }));
  const mail = await useMailServer(() => (refuses() ? 550 : undefined));
  const folder = await notifyFolder(
    `destinations:
  slack: { kind: slack, token_file: token, channel: "#faults", report_channel: true, api_url: "${chat.url}", allow_private: true }
  webhook: { kind: webhook, url: "${webhook.url}", secret_file: secret, allow_private: true }
  teams: { kind: teams, url_file: teams, allow_private: true }
  email: ${mailDestination(mail.port)}
routes: [{ to: [slack, webhook, teams, email] }]`,
    { token: "xoxb-1", secret: secretOf("one"), teams: teams.url, password: "sesame", "ca.pem": mail.certificate },
  );
  const taken = () => ({
    slack: chat.messages().map(announcedBy),
    webhook: bodies.webhook.map((body) => {
      const { app, count } = JSON.parse(body).data;
      return `${app} ${count}`;
    }),
    teams: bodies.teams.map((text) => announcedBy({ text })),
    email: mail.mails.map(({ text }) => announcedBy({ text: text.replaceAll("=\r\n", "").replaceAll("=C3=97", "×") })),
  });
  return {
    environment: { NOTIFY: join(folder, "notify.yaml"), NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") },
    taken,
    async takenOrWaiting(databaseUrl) {
      const { rows } = await query(
        databaseUrl,
        "SELECT destination, fact->>'app' AS app, fact->'data'->>'count' AS count FROM notifications WHERE dead_since IS NULL",
      );
      const waiting = Map.groupBy(rows, ({ destination }) => destination);
      return Object.fromEntries(
        Object.entries(taken()).map(([kind, names]) => [
          kind,
          [...names, ...(waiting.get(kind) ?? []).map(({ app, count }) => `${app} ${count}`)],
        ]),
      );
    },
  };
}
