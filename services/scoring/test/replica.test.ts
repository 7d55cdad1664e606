import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSnapshot } from "../src/store/lines.ts";
import { parseExposition } from "./support/exposition-parser.ts";
import { newScore } from "./support/new-score.ts";
import { query } from "./support/postgres.ts";
import { readPage } from "./support/reading.ts";
import { type Replicated, startReplicated } from "./support/replica.ts";
import { saveScores } from "./support/save-scores.ts";
import { startService, type TestService, until } from "./support/service.ts";

const raw = { critical: 0, high: 3, medium: 12 };
const submission = (app: string) => ({
  ...{ area: "shop", team: "checkout", app, env: "prod", scorecard: "security", metric: "image_scan", raw },
});

describe("with a streaming replica", () => {
  let servers: Replicated;
  let service: TestService;

  beforeAll(async () => {
    // A replica that waits for nobody: what stands in the way of replaying is broken off at once.
    servers = await startReplicated(["-c", "fsync=off"], ["-c", "max_standby_streaming_delay=0"]);
    service = await startService({ databaseUrl: servers.url, readUrl: servers.replicaUrl });
    await servers.caughtUp();
  });
  afterAll(async () => {
    await service?.stop();
    await servers?.stop();
  });

  const get = async (url: string) => {
    const { statusCode, payload } = await service.server.inject(url);
    return { status: statusCode, body: payload };
  };
  const post = async (app: string) => {
    const { statusCode } = await service.server.inject({
      ...{ method: "POST", url: "/score", payload: JSON.stringify(submission(app)) },
      headers: { "content-type": "application/json" },
    });
    return statusCode;
  };
  const scrapedApps = async () =>
    parseExposition((await get("/metrics?collect[]=scores")).body).map(({ labels }) => labels.app);
  const lag = async (unit: string) => {
    const found = new RegExp(`^maturity_replica_lag_${unit} (\\S+)$`, "m").exec((await get("/metrics/service")).body);
    return found ? Number(found[1]) : undefined;
  };

  test("scrapes and roll-ups come from the replica, everything else from the primary", async () => {
    await post("before");
    await servers.caughtUp();
    await query(servers.replicaUrl, "SELECT pg_wal_replay_pause()");
    expect(await post("acknowledged")).toBe(200);
    expect(await scrapedApps()).toEqual(["before"]);
    expect((await readPage(service, "/apps")).total).toBe(1);
    // What was acknowledged is in the next list.
    expect((await readPage(service, "/scores")).total).toBe(2);
    expect((await readPage<{ app: string }>(service, "/scores?app=acknowledged")).items).toHaveLength(1);
    await query(servers.replicaUrl, "SELECT pg_wal_replay_resume()");
    await servers.caughtUp();
    expect((await scrapedApps()).sort()).toEqual(["acknowledged", "before"]);
  });

  test("its lag is a series: of a replica that has everything 0, of one that stands still growing", async () => {
    await servers.caughtUp();
    expect([await lag("seconds"), await lag("bytes")]).toEqual([0, 0]);
    await query(servers.replicaUrl, "SELECT pg_wal_replay_pause()");
    await post("late");
    const first = (await lag("seconds")) ?? 0;
    const bytes = (await lag("bytes")) ?? 0;
    expect(bytes).toBeGreaterThan(0);
    await post("later");
    expect((await lag("seconds")) ?? 0).toBeGreaterThan(first);
    expect((await lag("bytes")) ?? 0).toBeGreaterThan(bytes);
    await query(servers.replicaUrl, "SELECT pg_wal_replay_resume()");
    await until(async () => (await lag("seconds")) === 0 && (await lag("bytes")) === 0);
  });

  test("a scrape that the replica breaks off is taken again, and nobody notices", async () => {
    const { read, tries } = brokenReads(1);
    expect(await read()).toBe("whole");
    expect(tries()).toBe(2);
  });

  test("one that is broken off twice is named, and that writes go on", async () => {
    const { read, tries } = brokenReads(2);
    await expect(read()).rejects.toMatchObject({
      code: "store-unavailable",
      message: expect.stringMatching(/cancelled the read twice.*writes go on/),
      cause: { code: "40001" },
    });
    expect(tries()).toBe(2);
  });

  /** A snapshot of which the first tries run into a real conflict: the primary removes rows that it may still need. */
  function brokenReads(broken: number) {
    let tried = 0;
    const read = () =>
      readSnapshot(service.database, service.database.scrapes, async (lines) => {
        const all = async () => {
          for await (const _ of lines("SELECT target_id FROM scores")); // to its end
        };
        await all();
        if (tried++ < broken) {
          await saveScores(service.database.knex, [newScore({ app: `removed ${tried}` })]);
          await query(
            servers.url,
            "DELETE FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE app LIKE 'removed %')",
          );
          await query(servers.url, "VACUUM scores");
          await servers.caughtUp();
        }
        await all();
        return "whole";
      });
    return { read, tries: () => tried };
  }

  test("the replica stopped: reads answer 503, /healthz says which half, writes go on; then all is as before", async () => {
    expect(await get("/healthz")).toEqual({ status: 200, body: '{"status":"ok"}' });
    await servers.stopReplica();
    expect(await get("/healthz")).toEqual({ status: 200, body: '{"status":"ok","reads":"unavailable"}' });
    for (const url of ["/metrics", "/metrics?collect[]=rollups&area=shop"]) {
      const { status, body } = await get(url);
      expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 503, code: "store-unavailable" });
      expect(body).toMatch(/replica .*writes go on/);
    }
    expect(await post("meanwhile")).toBe(200);
    expect((await readPage(service, "/scores?app=meanwhile")).total).toBe(1);
    await lag("seconds");
    await post("behind");
    await until(async () => ((await lag("seconds")) ?? 0) > 0);
    await servers.startReplica();
    await until(async () => (await get("/healthz")).body === '{"status":"ok"}');
    await servers.caughtUp();
    await until(async () => (await get("/metrics")).status === 200);
    expect(await scrapedApps()).toContain("meanwhile");
  });

  test("a replica that has not the newest schema yet answers 503, not as if the service were at fault", async () => {
    await query(servers.url, "ALTER VIEW scores_by_name RENAME TO hidden");
    await servers.caughtUp();
    const { status, body } = await get("/metrics?collect[]=scores");
    await query(servers.url, "ALTER VIEW hidden RENAME TO scores_by_name");
    await servers.caughtUp();
    expect({ status, body }).toMatchObject({ status: 503, body: expect.stringContaining("has not replayed") });
  });
});

test("the primary gone: /healthz says that writes are, and takes the instance out", async () => {
  const servers = await startReplicated();
  const service = await startService({ databaseUrl: servers.url, readUrl: servers.replicaUrl });
  await servers.caughtUp();
  // A first connection to the replica is compared with the primary.
  expect((await service.server.inject("/metrics")).statusCode).toBe(200);
  // What is stopped is the process that takes connections.
  const cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'maturity-service%'";
  await query(servers.url, cut);
  process.kill(servers.primaryPid, "SIGSTOP");
  try {
    const { statusCode, payload } = await service.server.inject("/healthz");
    expect([statusCode, payload]).toEqual([503, '{"status":"unavailable","writes":"unavailable"}']);
    expect((await service.server.inject("/metrics")).statusCode).toBe(200);
  } finally {
    process.kill(servers.primaryPid, "SIGCONT");
    await service.stop();
    await servers.stop();
  }
});
