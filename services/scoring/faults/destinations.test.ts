import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { endLeases, retryNow } from "../test/support/alert-rows.ts";
import { isSigned, mailDestination, notifyFolder, secretOf, useMailServer, usePeer } from "../test/support/peers.ts";
import { freePort, query } from "../test/support/postgres.ts";
import { noFigures } from "./support/figures.ts";
import { useOwnPostgres } from "./support/own-postgres.ts";
import { useInstance } from "./support/scene.ts";

const limits = { timeout: 90_000, interval: 100 };
const flood = 2_000;

/** The names of the applications that a kind of destination heard of, by what it took. */
const appsIn = (texts: readonly string[]) =>
  texts.map((text) => /app-[a-z]+-\d+/.exec(text.replaceAll("=\r\n", ""))?.[0] ?? text);

test("webhooks, Teams and mail: killed while sending, asked to wait, one that is silent and one that is gone, and a flood", {
  timeout: 480_000,
}, async ({ task }) => {
  const { url } = await useOwnPostgres();
  /** While it is set, what peers take is answered only once it is resolved: the service is killed in between. */
  let beforeAnswer: Promise<void> | undefined;
  let healthy = false;
  const taken = { webhook: [] as string[], teams: [] as string[] };
  const peerOf = (kind: keyof typeof taken) =>
    usePeer(async ({ body }, count) => {
      if (!healthy && count % 5 === 1) return { status: 429, headers: { "retry-after": "1" } };
      if (!healthy && count % 5 === 3) return "cut";
      taken[kind].push(body);
      await beforeAnswer;
      return { status: 202 };
    });
  const [webhook, teams, silent] = [await peerOf("webhook"), await peerOf("teams"), await usePeer(() => "never")];
  const mail = await useMailServer(async (count) => {
    if (!healthy && count % 5 === 1) return 451;
    await beforeAnswer;
    return undefined;
  });
  const gone = `http://127.0.0.1:${await freePort()}/`;
  const secret = secretOf("one");
  const folder = await notifyFolder(
    `destinations:
  webhook: { kind: webhook, url: "${webhook.url}", secret_file: secret, allow_private: true }
  teams: { kind: teams, url_file: teams, allow_private: true }
  email: ${mailDestination(mail.port)}
  silent: { kind: webhook, url: "${silent.url}", secret_file: secret, allow_private: true }
  gone: { kind: webhook, url: "${gone}", secret_file: secret, allow_private: true }
routes:
  - { areas: [flood], to: [webhook, silent, gone] }
  - { to: [webhook, teams, email, silent, gone] }`,
    { secret, teams: teams.url, password: "sesame", "ca.pem": mail.certificate },
  );
  const environment = {
    ...{ DATABASE_URL: url, LOG_LEVEL: "fatal", NOTIFY: join(folder, "notify.yaml") },
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
  };
  expect(await readFile(environment.NOTIFY, "utf8")).toContain("destinations");
  const instances = [await useInstance(environment), await useInstance(environment)];
  const figures = noFigures();
  task.meta.figures = figures;
  const report = async (area: string, index: number) => {
    const app = `app-${area}-${index}`;
    const body = { area, team: "t", app, env: "prod", problem_type: "leak", severity: "high", count: 1 };
    const { status } = await fetch(`${instances[index % 2]?.address}/problem/scan-result`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
    figures.acknowledged++;
    return app;
  };
  const working = ["webhook", "teams", "email"];
  const waiting = async () => {
    const { rows } = await query(
      url,
      `SELECT count(*)::int AS count FROM notifications WHERE dead_since IS NULL AND destination = ANY ('{${working}}')`,
    );
    return rows[0].count as number;
  };
  const arrived = () => ({
    webhook: appsIn(taken.webhook),
    teams: appsIn(taken.teams),
    email: appsIn(mail.mails.map(({ text }) => text)),
  });

  // Each kind has taken a message whose outcome nobody noted: it comes again, with the same id.
  const few = Array.from({ length: 12 }, (_, index) => index);
  const apps = await Promise.all(few.map((index) => report("few", index)));
  for (let round = 0; round < 3; round++) {
    const gate = Promise.withResolvers<void>();
    beforeAnswer = gate.promise;
    const before = taken.webhook.length + taken.teams.length;
    await vi.waitUntil(
      async () => taken.webhook.length + taken.teams.length > before || (await waiting()) === 0,
      limits,
    );
    await Promise.all(instances.map((instance) => instance.kill()));
    beforeAnswer = undefined;
    gate.resolve();
    await endLeases(url);
    for (const instance of instances) await instance.start();
    for (const instance of instances) await instance.listening();
    figures.rounds++;
  }
  healthy = true;
  await vi.waitUntil(async () => {
    await retryNow(url);
    return (await waiting()) === 0;
  }, limits);
  for (const [kind, names] of Object.entries(arrived())) expect([kind, new Set(names)]).toEqual([kind, new Set(apps)]);
  for (const request of webhook.requests) expect(isSigned(request, secret)).toBe(true);
  const idsOf = Map.groupBy(webhook.requests, ({ body }) => appsIn([body])[0]);
  for (const [app, requests] of idsOf) {
    expect([app, new Set(requests.map(({ headers }) => headers["webhook-id"])).size]).toEqual([app, 1]);
  }
  const repeated = Object.values(arrived()).reduce((sum, names) => sum + names.length - new Set(names).size, 0);
  expect(repeated).toBeLessThanOrEqual(figures.rounds * working.length);
  figures.duplicates = repeated;

  // A flood, while one destination never answers and another is gone.
  for (let first = 0; first < flood; first += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => report("flood", first + index)));
  }
  const flooded = () => arrived().webhook.filter((app) => app.startsWith("app-flood"));
  await vi.waitUntil(() => flooded().length >= flood, { ...limits, timeout: 240_000 });
  expect(new Set(flooded()).size).toBe(flood);
  expect(flooded()).toHaveLength(flood);
  const { rows } = await query(url, "SELECT destination, fact->>'app' AS app, dead_since FROM notifications");
  for (const destination of ["silent", "gone"]) {
    const left = rows.filter((row) => row.destination === destination).map(({ app }) => String(app));
    expect(new Set(left).size).toBe(left.length);
    expect([destination, left.filter((app) => app.startsWith("app-flood")).length]).toEqual([destination, flood]);
  }
  expect(rows.filter(({ dead_since }) => dead_since !== null)).toEqual([]);
  figures.messages = Object.values(arrived()).flat().length;
});
