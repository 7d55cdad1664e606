import { describe, expect, test } from "vitest";
import { kinds as allKinds } from "../src/notifications/kinds/kinds.ts";
import type { NotifySettings } from "../src/notifications/routes.ts";
import { alertRows, noneWaits, retryNow } from "./support/alert-rows.ts";
import { useChatServer } from "./support/chat-server.ts";
import { hostileNames } from "./support/hostile-names.ts";
import { readableLog } from "./support/log.ts";
import { isSigned, notifyFile, type PeerAnswer, secretOf, useMailServer, usePeer } from "./support/peers.ts";
import { report } from "./support/problem-report.ts";
import { type TestService, until, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

/** A destination of one kind, with what arrived there and how it answers. */
interface Peer {
  readonly notify: NotifySettings;
  /** The text of each message that was taken. */
  readonly taken: () => string[];
  /** How many messages were sent, taken or not. */
  readonly asked: () => number;
}

/** What a peer does: it takes a message, it does not now, or never will; or it asks to wait. */
type Doing = "take" | "fail" | "refuse";

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

function mailSettings(port: number, password = "sesame", scheme = "smtp"): Promise<NotifySettings> {
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

const kinds = Object.keys(peers);

const usePeerOf = (kind: string, doing: (count: number) => Doing = () => "take") =>
  (peers[kind] as (typeof peers)[string])(doing);

/** Waits until everything is sent or a dead letter, without the pauses. */
async function untilSent({ databaseUrl }: TestService): Promise<void> {
  await until(async () => {
    await retryNow(databaseUrl);
    return noneWaits(databaseUrl);
  });
}

/** A destination of each kind at a host, in the file of NOTIFY. */
const at: Readonly<Record<string, (host: string) => string>> = {
  slack: (host) => `{ kind: slack, token_file: token, channel: "#a", api_url: "http://${host}:9/api" `,
  webhook: (host) => `{ kind: webhook, url: "http://${host}:9/", secret_file: secret `,
  teams: () => "{ kind: teams, url_file: url ",
  email: (host) => `{ kind: email, url: "smtp://${host}:9", from: a@example.com, to: b@example.com `,
};

test.each(allKinds.map(({ kind }) => kind))(
  "%s sends nothing to an address that is not of the internet",
  async (kind) => {
    const inside = [
      "127.0.0.1",
      "127.0.0.1.",
      "0x7f.1",
      "2130706433",
      "localhost",
      "localhost.",
      "0.0.0.0",
      "10.0.0.1",
    ];
    const inside6 = [
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
      "[fd00::1]",
      "[fe80::1]",
    ];
    const metadata = ["169.254.169.254", "100.100.100.200", "[::ffff:a9fe:a9fe]", "[fd00:ec2::254]", "[fd20:ce::254]"];
    const send = async (host: string, rest: string) => {
      const secrets = { token: "xoxb-1", secret: secretOf("one"), url: `http://${host}:9/` };
      const file = await notifyFile(
        `destinations: { peer: ${at[kind]?.(host)}${rest}} }\nroutes: [{ to: [peer] }]`,
        secrets,
      );
      const fact = {
        ...{ type: "test" as const, subject: "test", severity: null, data: {} },
        ...{ area: null, team: null, app: null, env: null },
      };
      const message = { id: "1", fact, at: new Date(0), reports: 1, thread: null, address: "#a", link: null };
      return [host, await file.destinations.get("peer")?.send(message, AbortSignal.timeout(5_000))];
    };
    // The operating system may not know a form at all.
    const refused = { reason: expect.stringMatching(/^(?:its address is not of the internet|ENOTFOUND|EAI_AGAIN)$/) };
    for (const host of [...inside, ...inside6, ...metadata])
      expect(await send(host, "")).toMatchObject([host, refused]);
    for (const host of metadata) expect(await send(host, ", allow_private: true ")).toMatchObject([host, refused]);
  },
);

describe.each(kinds)("to %s", (kind) => {
  test("a problem is announced as it opens, changes and ends", async () => {
    const { notify, taken } = await usePeerOf(kind);
    const service = await useService({ notify });
    for (const changes of [{}, { count: 3 }, { count: 0, details: [] }]) {
      expect(await report(service, changes)).toMatchObject({ status: 200, alert: "queued" });
      await untilSent(service);
    }
    expect(taken()).toHaveLength(3);
    for (const text of taken()) expect(text).toContain("terraform_secret");
    expect(taken()[2]).toContain("resolved");
  });

  test("what fails is sent again, and arrives once", async () => {
    const { notify, taken, asked } = await usePeerOf(kind, (count) => (count < 3 ? "fail" : "take"));
    const service = await useService({ notify });
    await report(service);
    await untilSent(service);
    expect({ asked: asked(), taken: taken().length }).toEqual({ asked: 4, taken: 1 });
    expect(await alertRows(service.databaseUrl)).toEqual([]);
  });

  test("what is refused is a dead letter, and is sent once it is put back", async () => {
    let done: Doing = "refuse";
    const { notify, taken, asked } = await usePeerOf(kind, () => done);
    const service = await useService({ notify });
    await report(service);
    await untilSent(service);
    expect(asked()).toBe(1);
    const [id] = (await runOn(service.database, ["notifications", "list"])).match(/^[0-9a-f-]{36}/m) ?? [];
    done = "take";
    expect(await runOn(service.database, ["notifications", "retry", String(id)])).toBe("Notifications put back: 1.\n");
    await untilSent(service);
    expect(taken()).toHaveLength(1);
  });

  test("what waits for a process that was killed is sent by the next one", async () => {
    const { notify, taken } = await usePeerOf(kind, (count) => (count === 0 ? "fail" : "take"));
    const first = await useService({ notify });
    await report(first);
    await until(async () => (await alertRows(first.databaseUrl)).some(({ pause }) => pause > 0));
    await first.notifications.stop(1_000);
    await untilSent(await useService({ notify, databaseUrl: first.databaseUrl }));
    expect(taken()).toHaveLength(1);
  });

  test("a fall of a score and a change of a level say from where to where", async () => {
    const { notify, taken } = await usePeerOf(kind);
    const service = await useService({ notify });
    const cart = { subject: "app@1", area: "shop", team: "check<out>", app: "cart", env: "prod", severity: null };
    const metrics = [{ metric: "security.sast", from: null, to: 33.333 }];
    const next = { name: "gold", unmet: "min_score 85" };
    await service.database.knex.transaction((trx) =>
      service.notifications.facts.store(trx, [
        {
          ...{ ...cart, type: "score.dropped" as const },
          data: { from: 91.257, to: 70, level_from: "gold", level_to: null, metrics },
        },
        { ...cart, type: "level.lost" as const, data: { from: "gold", to: null, score: 70, next } },
      ]),
    );
    await untilSent(service);
    expect(taken()).toHaveLength(2);
    const [lost = "", drop = ""] = taken().toSorted((one) => (/level.lost/.test(one) ? -1 : 1));
    if (kind === "webhook") {
      expect(JSON.parse(drop)).toMatchObject({ type: "maturity.score.dropped", data: { from: 91.257, metrics } });
      expect(JSON.parse(lost)).toMatchObject({ type: "maturity.level.lost", data: { from: "gold", to: null, next } });
      return;
    }
    const read = (text: string) => text.replaceAll("=\r\n", "").replaceAll("=E2=86=92", "→").replaceAll("=3D", "=");
    for (const part of ["91.26", "70", "security.sast", "no score → 33.33", "gold → no level"]) {
      expect(read(drop)).toContain(part);
    }
    for (const part of ["went from gold to no level", "for gold: min_score 85"]) expect(read(lost)).toContain(part);
    expect(taken().join("")).toContain(kind === "teams" ? "check<out>" : "check&lt;out&gt;");
  });

  test("hostile names arrive, and no secret is logged", async () => {
    const { notify, taken } = await usePeerOf(kind, (count) => (count === 0 ? "fail" : "take"));
    const log = readableLog();
    const service = await useService({ notify, logger: log.logger });
    for (const app of hostileNames) expect(await report(service, { app })).toMatchObject({ status: 200 });
    await untilSent(service);
    expect(taken()).toHaveLength(hostileNames.length);
    expect(log.lines.join("")).not.toMatch(/xoxb-1|sesame|whsec/);
  });
});

test("a peer that never answers delays no other destination", async () => {
  const silent = await usePeer(() => "never");
  const good = await usePeer();
  const notify = await notifyFile(
    `destinations:
  silent: { kind: webhook, url: "${silent.url}", secret_file: secret, allow_private: true }
  good: { kind: webhook, url: "${good.url}", secret_file: secret, allow_private: true }
routes: [{ to: [silent, good] }]`,
    { secret: secretOf("one") },
  );
  const service = await useService({ notify });
  for (let app = 0; app < 20; app++) await report(service, { app: `app ${app}` });
  await until(() => good.requests.length === 20);
  expect(silent.requests.length).toBe(1);
});

describe("a webhook", () => {
  const settings = (url: string, rest = "", secrets: Record<string, string> = { secret: secretOf("one") }) =>
    notifyFile(
      `destinations: { peer: { kind: webhook, url: "${url}", secret_file: secret, allow_private: true${rest} } }
routes: [{ to: [peer] }]`,
      secrets,
    );

  test("is a CloudEvent with the signature of each secret, and the same id at each try", async () => {
    const { url, requests } = await usePeer((_, count) => ({ status: count === 0 ? 500 : 204 }));
    const secrets = { secret: secretOf("one"), former: secretOf("two") };
    const service = await useService({ notify: await settings(url, ", former_secret_file: former", secrets) });
    await report(service);
    await untilSent(service);
    const [first, second] = requests;
    for (const request of requests) {
      expect(isSigned(request, secrets.secret)).toBe(true);
      expect(isSigned(request, secrets.former)).toBe(true);
      expect(isSigned(request, secretOf("three"))).toBe(false);
      expect(isSigned({ ...request, body: `${request.body} ` }, secrets.secret)).toBe(false);
    }
    expect(first?.headers["webhook-id"]).toBe(second?.headers["webhook-id"]);
    expect(first?.headers["content-type"]).toMatch(/^application\/cloudevents\+json/);
    expect(JSON.parse(first?.body ?? "")).toEqual({
      ...{ specversion: "1.0", id: first?.headers["webhook-id"], type: "maturity.problem.opened", source: "/maturity" },
      ...{
        subject: expect.stringMatching(/^1@/),
        time: expect.stringMatching(/Z$/),
        datacontenttype: "application/json",
      },
      data: {
        ...{
          area: "shop",
          team: "checkout",
          app: "cart",
          env: "prod",
          severity: "high",
          problem_type: "terraform_secret",
        },
        ...{ count: 2, details: [{ file: "main.tf", line: 3, description: "AWS key" }, { file: "b.tf" }] },
        ...{ chat_channel: "#security", opened_at: expect.any(Number), reports: 1, is_first: true, link: null },
      },
    });
  });

  test("has another id when a report joined it before the next try, so that receivers take it", async () => {
    const { url, requests } = await usePeer((_, count) => ({ status: count === 1 ? 500 : 204 }));
    const service = await useService({ notify: await settings(url) });
    await report(service);
    await untilSent(service);
    await report(service, { count: 3 });
    await until(() => requests.length === 2);
    await until(async () => (await alertRows(service.databaseUrl)).some(({ pause }) => pause > 0));
    await report(service, { count: 4 });
    await untilSent(service);
    const sent = requests.map(({ headers, body }) => [headers["webhook-id"], JSON.parse(body).data.count]);
    expect(sent.map(([, count]) => count)).toEqual([2, 3, 4]);
    expect(new Set(sent.map(([id]) => id)).size).toBe(3);
  });

  test("whose receiver asks to wait for longer than a day is a dead letter", async () => {
    const { url, requests } = await usePeer(() => ({ status: 503, headers: { "retry-after": "1" } }));
    const service = await useService({ notify: await settings(url) });
    await report(service);
    await until(() => requests.length > 1);
    await service.database.knex.raw("UPDATE notifications SET queued_at = now() - interval '25 hours'");
    await until(() => noneWaits(service.databaseUrl));
    expect(await alertRows(service.databaseUrl)).toMatchObject([{ state: "dead", reason: "HTTP status 503" }]);
  });

  test.each([429, 503])("waits as long as %i says by Retry-After, and that is no try", async (status) => {
    const { url, requests } = await usePeer((_, count) =>
      count === 0 ? { status, headers: { "retry-after": "2" } } : { status: 200 },
    );
    const service = await useService({ notify: await settings(url) });
    const begun = Date.now();
    await report(service);
    await until(() => requests.length === 2);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2_000);
    await until(() => noneWaits(service.databaseUrl));
  });

  test("is not sent to where an answer leads", async () => {
    const elsewhere = await usePeer();
    const { url, requests } = await usePeer(() => ({ status: 307, headers: { location: elsewhere.url } }));
    const service = await useService({ notify: await settings(url) });
    await report(service);
    await until(async () => (await alertRows(service.databaseUrl)).some(({ pause }) => pause > 0));
    expect(requests.length).toBeGreaterThan(0);
    expect(elsewhere.requests).toEqual([]);
  });

  test("to a private address is a dead letter unless that is allowed", async () => {
    const { url, requests } = await usePeer();
    const notify = await notifyFile(
      `destinations: { peer: { kind: webhook, url: "${url}", secret_file: secret } }
routes: [{ to: [peer] }]`,
      { secret: secretOf("one") },
    );
    const service = await useService({ notify });
    await report(service);
    await until(() => noneWaits(service.databaseUrl));
    expect(await alertRows(service.databaseUrl)).toMatchObject([{ reason: "its address is not of the internet" }]);
    expect(requests).toEqual([]);
  });
});

test("a card of Teams stays below 28 KB, however long the report, and shows foreign text as it is", async () => {
  const { url, requests } = await usePeer();
  const notify = await notifyFile(
    `board_url: https://maturity.example.com
destinations: { peer: { kind: teams, url_file: url, allow_private: true } }
routes: [{ to: [peer] }]`,
    { url },
  );
  const service = await useService({ notify });
  const details = Array.from({ length: 50 }, () => ({ file: "\u{1f600}".repeat(2_000), description: "**x** [a](b)" }));
  await report(service, {
    area: "\u{1f600}".repeat(200),
    app: "[click](https://evil.example) <at>all</at>",
    count: 50,
    details,
  });
  await untilSent(service);
  const [{ body = "" } = {}] = requests;
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(28 * 1_024);
  const { type, attachments } = JSON.parse(body);
  expect(type).toBe("message");
  const [{ contentType, content }] = attachments;
  expect(contentType).toBe("application/vnd.microsoft.card.adaptive");
  expect(content).toMatchObject({ type: "AdaptiveCard", version: "1.4", actions: [{ type: "Action.OpenUrl" }] });
  // Only text runs show their text literally.
  for (const block of content.body) {
    expect(block.type).toBe("RichTextBlock");
    for (const run of block.inlines) expect(run.type).toBe("TextRun");
  }
  expect(body).toContain("[click](https://evil.example) <at>all</at>");
});

describe("a mail", () => {
  test("is sent over TLS by the user, and later ones reply to the first", async () => {
    const { port, mails } = await useMailServer();
    const service = await useService({ notify: await mailSettings(port) });
    await report(service, { app: "<b>cart</b>\u{1f600}" });
    await untilSent(service);
    await report(service, { app: "<b>cart</b>\u{1f600}", count: 0, details: [] });
    await untilSent(service);
    expect(mails).toMatchObject([
      { user: "maturity", isSecure: true, from: "maturity@example.com", to: ["team@example.com", "lead@example.com"] },
      { isSecure: true },
    ]);
    const [id] = /<[0-9a-f-]{36}@example\.com>/.exec(mails[0]?.text ?? "") ?? [];
    expect(mails[1]?.text).toContain(`In-Reply-To: ${id}`);
    expect(mails[0]?.text.replaceAll("=\r\n", "")).toContain("&lt;b&gt;cart&lt;/b&gt;");
  });

  test("is sent to a server that speaks TLS from the first byte, and only if its certificate is trusted", async () => {
    const { port, mails, distrust } = await useMailServer(undefined, [], true);
    const service = await useService({ notify: await mailSettings(port, "sesame", "smtps") });
    await report(service);
    await untilSent(service);
    expect(mails).toMatchObject([{ user: "maturity", isSecure: true }]);
    distrust();
    await report(service, { app: "other" });
    await until(async () => (await alertRows(service.databaseUrl)).some(({ pause }) => pause > 0));
    expect(mails).toHaveLength(1);
  });

  test("has no header that a report made up", async () => {
    const { port, mails } = await useMailServer();
    const service = await useService({ notify: await mailSettings(port) });
    await report(service, { details: [{ file: "a", description: "x\r\nBcc: spy@example.com\r\n\r\nhello" }] });
    await untilSent(service);
    const [head = ""] = (mails[0]?.text ?? "").split("\r\n\r\n");
    expect(head).not.toMatch(/^Bcc/im);
    expect(mails[0]?.to).toEqual(["team@example.com", "lead@example.com"]);
  });

  test("that the server refuses for a recipient is sent once to the others, and logged", async () => {
    const { port, mails } = await useMailServer(undefined, ["lead@example.com"]);
    const { logger, from } = readableLog();
    const service = await useService({ notify: await mailSettings(port), logger });
    await report(service);
    await untilSent(service);
    expect(mails.map(({ to }) => to)).toEqual([["team@example.com"]]);
    expect(from(40).filter(({ reason }) => reason === "the server refused 1 of the recipients")).toHaveLength(1);
  });

  test("with a wrong password is a dead letter, which does not repeat it", async () => {
    const { port, mails } = await useMailServer();
    const service = await useService({ notify: await mailSettings(port, "wrong") });
    await report(service);
    await until(() => noneWaits(service.databaseUrl));
    expect(await alertRows(service.databaseUrl)).toMatchObject([{ state: "dead", reason: "SMTP status 535" }]);
    expect(mails).toEqual([]);
  });
});
