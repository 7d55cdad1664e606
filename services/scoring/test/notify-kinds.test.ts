import { describe, expect, test } from "vitest";
import { kinds as allKinds } from "../src/notifications/kinds/kinds.ts";
import { alertRows } from "./support/alert-rows.ts";
import { hostileNames } from "./support/hostile-names.ts";
import { readableLog } from "./support/log.ts";
import { type Doing, kinds, untilSent, usePeerOf } from "./support/peer-kinds.ts";
import { notifyFile, secretOf, usePeer } from "./support/peers.ts";
import { report } from "./support/problem-report.ts";
import { until, useService } from "./support/service.ts";
import { runOn } from "./support/service-command.ts";

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
