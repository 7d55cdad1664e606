import type { NotifySettings } from "../../src/notifications/routes.ts";
import { noneWaits, retryNow } from "./alert-rows.ts";
import { useChatServer } from "./chat-server.ts";
import { notifyFile, type PeerAnswer, secretOf, useMailServer, usePeer } from "./peers.ts";
import { type TestService, until } from "./service.ts";

/** A destination of one kind, with what arrived there and how it answers. */
interface Peer {
  readonly notify: NotifySettings;
  /** The text of each message that was taken. */
  readonly taken: () => string[];
  /** How many messages were sent, taken or not. */
  readonly asked: () => number;
}

/** What a peer does: it takes a message, it does not now, or never will; or it asks to wait. */
export type Doing = "take" | "fail" | "refuse";

/** Takes down what is sent, and does with each message what is said of it. */
const peers: Readonly<Record<string, (doing: (count: number) => Doing) => Promise<Peer>>> = {
  async slack(doing) {
    const answers = { take: { ok: true }, fail: { status: 500 }, refuse: { error: "channel_not_found" } } as const;
    const server = await useChatServer((_, count) => answers[doing(count)]);
    const notify = await notifyFile(
      `destinations: { peer: { kind: slack, token_file: token, channel: "#peer", api_url: "${server.url}", allow_private: true } }
routes: [{ to: [peer] }]`,
      { token: "xoxb-1" },
    );
    return { notify, taken: () => server.messages().map(({ text }) => text), asked: () => server.calls.length };
  },
  webhook: (doing) =>
    useHttp(doing, (url) =>
      notifyFile(
        `destinations: { peer: { kind: webhook, url: "${url}", secret_file: secret, allow_private: true } }
routes: [{ to: [peer] }]`,
        { secret: secretOf("one") },
      ),
    ),
  teams: (doing) =>
    useHttp(doing, (url) =>
      notifyFile(
        `destinations: { peer: { kind: teams, url_file: url, allow_private: true } }
routes: [{ to: [peer] }]`,
        { url },
      ),
    ),
  async email(doing) {
    let asked = 0;
    const statuses = { take: undefined, fail: 451, refuse: 550 } as const;
    const { port, mails } = await useMailServer((count) => {
      asked = count + 1;
      return statuses[doing(count)];
    });
    return { notify: await mailSettings(port), taken: () => mails.map(({ text }) => text), asked: () => asked };
  },
};

async function useHttp(
  doing: (count: number) => Doing,
  settings: (url: string) => Promise<NotifySettings>,
): Promise<Peer> {
  const answers: Readonly<Record<Doing, PeerAnswer>> = { take: { status: 202 }, fail: "cut", refuse: { status: 410 } };
  const taken: string[] = [];
  const { url, requests } = await usePeer(({ body }, count) => {
    const done = doing(count);
    if (done === "take") taken.push(body);
    return answers[done];
  });
  return { notify: await settings(url), taken: () => taken, asked: () => requests.length };
}

/** Settings of a mail server for two recipients. */
export function mailSettings(port: number, password = "sesame", scheme = "smtp"): Promise<NotifySettings> {
  return notifyFile(
    `destinations:
  peer:
    kind: email
    url: ${scheme}://localhost:${port}
    user: maturity
    password_file: password
    from: maturity@example.com
    to: [team@example.com, lead@example.com]
    allow_private: true
routes: [{ to: [peer] }]`,
    { password },
  );
}

/** The kinds of destinations. */
export const kinds: readonly string[] = Object.keys(peers);

/** A destination of a kind, which by default takes what it gets. */
export const usePeerOf = (kind: string, doing: (count: number) => Doing = () => "take"): Promise<Peer> =>
  (peers[kind] as (typeof peers)[string])(doing);

/** Waits until everything is sent or a dead letter, without the pauses. */
export async function untilSent({ databaseUrl }: TestService): Promise<void> {
  await until(async () => {
    await retryNow(databaseUrl);
    return noneWaits(databaseUrl);
  });
}
