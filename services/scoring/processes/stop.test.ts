import { once } from "node:events";
import { get as httpGet, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../src/store/database.ts";
import { useChatServer } from "../test/support/chat-server.ts";
import { createEmptyDatabase } from "../test/support/empty-database.ts";
import { useOtherMigration } from "../test/support/other-migration.ts";
import { get, post, refuses } from "../test/support/own-connection.ts";
import { freePort, query } from "../test/support/postgres.ts";
import { problem } from "../test/support/problem-report.ts";
import { saveScores } from "../test/support/save-scores.ts";
import { createDatabase, until } from "../test/support/service.ts";
import { type ServiceProcess, useServiceProcess } from "../test/support/service-process.ts";

const score = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod", scorecard: "security", metric: "secret_scan" },
  raw: { found: true },
};

const ended = { code: 0, signal: null };

/** Longer than any test takes. */
const forever = "600000";

/** A session of its own, which can keep others waiting. */
async function useSession(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** How many sessions of the database wait for a lock. */
async function waiting(databaseUrl: string): Promise<number> {
  const sql = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  return (await query(databaseUrl, sql)).rows.length;
}

/** Sends a report, and resolves when the service has taken it: it has read the head and asks for the body. */
async function sendTaken(address: string, body: object): Promise<{ status: Promise<number | undefined> }> {
  const headers = { "content-type": "application/json", expect: "100-continue" };
  const sent = request(new URL("/problem/scan-result", address), { method: "POST", agent: false, headers });
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  await once(sent, "continue");
  sent.end(JSON.stringify(body));
  return { status: answered.then(([{ statusCode }]) => statusCode) };
}

const lastMessage = (service: ServiceProcess) => service.log().at(-1)?.msg;

describe("after SIGTERM", () => {
  test("/healthz says stopping, requests are still answered, and each answer ends its connection", async () => {
    const service = await useServiceProcess({
      DATABASE_URL: await createDatabase("postgres"),
      SHUTDOWN_GRACE_MS: forever,
    });
    const address = await service.address();
    service.kill("SIGTERM");
    await service.logged("stopping");
    const health = await fetch(`${address}/healthz`);
    expect([health.status, await health.json()]).toEqual([503, { status: "stopping" }]);
    expect(await get(address, "/livez")).toMatch(/^\{"status":"ok"/);
    const headers = { "content-type": "application/json" };
    const stored = await fetch(`${address}/score`, { method: "POST", headers, body: JSON.stringify(score) });
    expect([stored.status, stored.headers.get("connection")]).toEqual([200, "close"]);
    const wrong = await fetch(`${address}/score`, { method: "POST", headers, body: "{}" });
    expect([wrong.status, wrong.headers.get("connection")]).toEqual([400, "close"]);
    service.kill("SIGINT"); // ends the wait for the balancer
    expect(await service.exit).toEqual(ended);
  });

  test("a second one changes nothing", async () => {
    const service = await useServiceProcess({
      DATABASE_URL: await createDatabase("postgres"),
      SHUTDOWN_GRACE_MS: forever,
    });
    const address = await service.address();
    service.kill("SIGTERM");
    service.kill("SIGTERM");
    await service.logged("stopping");
    expect((await post(address, "/score", score)).status).toBe(200);
    service.kill("SIGINT");
    expect(await service.exit).toEqual(ended);
    expect(service.log().filter(({ msg }) => msg === "stopping")).toHaveLength(1);
  });

  test("under load there is no answer that is not in the database", async () => {
    const databaseUrl = await createDatabase("postgres");
    const service = await useServiceProcess({ DATABASE_URL: databaseUrl, SHUTDOWN_GRACE_MS: "2000" });
    const address = await service.address();
    const acknowledged: string[] = [];
    const outcomes = new Set<unknown>();
    const clients = Array.from({ length: 20 }, async (_, client) => {
      for (let index = 0; ; index++) {
        const app = `${client}-${index}`;
        const outcome = await post(address, "/score", { ...score, app }).then(
          ({ status }) => status,
          ({ cause }) => String(cause.code),
        );
        outcomes.add(outcome);
        if (outcome !== 200) return;
        acknowledged.push(app);
      }
    });
    await until(() => acknowledged.length > 100);
    service.kill("SIGTERM");
    await Promise.all(clients);
    expect(await service.exit).toEqual(ended);
    expect([...outcomes].filter((outcome) => typeof outcome === "number")).toEqual([200]);
    const { rows } = await query(databaseUrl, "SELECT app FROM scores_by_name");
    expect(rows.map(({ app }) => app)).toEqual(expect.arrayContaining(acknowledged));
  });
});

describe("a stop", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "by %s answers every request it took, then ends without error",
    async (signal) => {
      const databaseUrl = await createDatabase("postgres");
      const service = await useServiceProcess({ DATABASE_URL: databaseUrl, SHUTDOWN_GRACE_MS: "4000" });
      const address = await service.address();
      const blocker = await useSession(databaseUrl);
      await blocker.query("BEGIN; LOCK TABLE problems IN SHARE MODE");
      const requests = Array.from({ length: 10 }, (_, index) =>
        sendTaken(address, { ...problem, app: `app ${index}` }),
      );
      const inFlight = (await Promise.all(requests)).map(({ status }) => status);
      await until(async () => (await waiting(databaseUrl)) > 0);
      service.kill(signal);
      await service.logged("stopping");
      await blocker.query("COMMIT");
      expect(await Promise.all(inFlight)).toEqual(Array(10).fill(200));
      expect(await service.exit).toEqual(ended);
      expect(await refuses(address)).toBe(true);
      expect((await query(databaseUrl, "SELECT count(*)::int AS count FROM problems_by_name")).rows).toEqual([
        { count: 10 },
      ]);
      expect(lastMessage(service)).toBe("stopped");
    },
  );

  test("lets a scrape that is under way come to its end", async () => {
    const databaseUrl = await createDatabase("postgres");
    const rows = 60_000;
    await fill(databaseUrl, rows);
    const service = await useServiceProcess({ DATABASE_URL: databaseUrl, SHUTDOWN_GRACE_MS: forever });
    const address = await service.address();
    const scrape = await new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(`${address}/metrics?collect[]=scores`, resolve).once("error", reject);
    });
    service.kill("SIGINT");
    await until(() => refuses(address));
    const text = (await scrape.setEncoding("utf8").toArray()).join("");
    expect(text.split("\nmaturity_score{")).toHaveLength(rows + 1);
    expect(await service.exit).toEqual(ended);
  });

  test("sends the alerts it has begun, and leaves the others to the next start", async () => {
    const databaseUrl = await createDatabase("postgres");
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const chat = await useChatServer(async () => {
      asked.resolve();
      await goOn.promise;
      return { ok: true };
    });
    const environment = { DATABASE_URL: databaseUrl, CHAT_BOT_TOKEN: "xoxb-1", CHAT_API_URL: chat.url };
    const first = await useServiceProcess({ ...environment, SHUTDOWN_GRACE_MS: forever });
    const address = await first.address();
    for (const app of ["one", "two"]) await post(address, "/problem/scan-result", { ...problem, app });
    await asked.promise;
    first.kill("SIGINT");
    await first.logged("stopping");
    goOn.resolve();
    expect(await first.exit).toEqual(ended);
    const second = await useServiceProcess(environment);
    await until(() => chat.messages().length === 2);
    expect(new Set(chat.messages().map(({ text }) => /checkout\/(\w+)/.exec(text)?.[1]))).toEqual(
      new Set(["one", "two"]),
    );
    second.kill("SIGINT");
    expect(await second.exit).toEqual(ended);
  });

  test("cuts off a request that does not come to its end", async () => {
    const service = await useServiceProcess({
      DATABASE_URL: await createDatabase("postgres"),
      SHUTDOWN_GRACE_MS: "10000",
    });
    const { hostname, port } = new URL(await service.address());
    const socket = connect(Number(port), hostname).on("error", () => {});
    onTestFinished(() => void socket.destroy());
    socket.write("POST /score HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{");
    await once(socket, "connect");
    service.kill("SIGTERM");
    expect(await service.exit).toEqual(ended);
    expect(lastMessage(service)).toBe("stopped");
  });

  test("ends in time though the database holds it up", async () => {
    const databaseUrl = await createDatabase("postgres");
    const chat = await useChatServer();
    const service = await useServiceProcess({
      ...{ DATABASE_URL: databaseUrl, CHAT_BOT_TOKEN: "xoxb-1", CHAT_API_URL: chat.url },
      SHUTDOWN_GRACE_MS: "2000",
    });
    await service.address();
    const blocker = await useSession(databaseUrl);
    await blocker.query("BEGIN; LOCK TABLE notifications IN ACCESS EXCLUSIVE MODE");
    await until(async () => (await waiting(databaseUrl)) > 0);
    service.kill("SIGTERM");
    expect(await service.exit).toEqual(ended);
    expect(service.log().at(-1)).toMatchObject({ level: 40, msg: "stopped; pending work is cut off" });
  });
});

describe("a stop before the service listens", () => {
  test("ends it at once while it waits for the database", async () => {
    const url = new URL(await createDatabase("postgres"));
    url.port = String(await freePort());
    const service = await useServiceProcess({ DATABASE_URL: url.href, SHUTDOWN_GRACE_MS: forever });
    await service.logged("the database is not reachable");
    service.kill("SIGTERM");
    expect(await service.exit).toEqual(ended);
    // The log is written beside the work, and at a sudden end its last two lines may change places.
    expect(service.log().map(({ msg }) => msg)).toContain("stopped");
  });

  test("ends it at once while another process changes the schema", async () => {
    const databaseUrl = await createEmptyDatabase("postgres");
    await useOtherMigration(databaseUrl);
    const service = await useServiceProcess({ DATABASE_URL: databaseUrl, SHUTDOWN_GRACE_MS: forever });
    await service.logged("another process is changing the schema");
    service.kill("SIGTERM");
    expect(await service.exit).toEqual(ended);
    // The log is written beside the work, and at a sudden end its last two lines may change places.
    expect(service.log().map(({ msg }) => msg)).toContain("stopped");
  });
});

/** Stores so many scores whose names do not fit into what sockets hold. */
async function fill(databaseUrl: string, rows: number): Promise<void> {
  const database = openDatabase(databaseUrl, 1);
  for (let first = 0; first < rows; first += 1_000) {
    const scores = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ area: "area", team: `team-${index}`, app: `${"app".repeat(30)}-${first}`, env: "prod" },
      ...{ scorecard: "security", metric: "image_scan", score: 1, raw: {}, scorer: "test@1.0.0" },
    }));
    await saveScores(database.knex, scores);
  }
  await database.close();
}
