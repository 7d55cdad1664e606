import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { useChatServer } from "../test/support/chat-server.ts";
import { createEmptyDatabase } from "../test/support/empty-database.ts";
import { useOtherMigration } from "../test/support/other-migration.ts";
import { get, post } from "../test/support/own-connection.ts";
import { freePort, query } from "../test/support/postgres.ts";
import { problem } from "../test/support/problem-report.ts";
import { createDatabase, until } from "../test/support/service.ts";
import { runCommand } from "../test/support/service-command.ts";
import { type ServiceProcess, useDirectory, useServiceProcess } from "../test/support/service-process.ts";
import { useTcpProxy } from "../test/support/tcp-proxy.ts";

const run = promisify(execFile);

const score = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "secret_scan",
  raw: { found: true },
};
const series =
  'maturity_score{area="shop",team="checkout",app="cart",env="prod",scorecard="security",metric="secret_scan"} 0';

/** Ends with its message, all of it, on standard error. */
async function refusal(process: ServiceProcess): Promise<string> {
  expect(await process.exit).toEqual({ code: 1, signal: null });
  return process.stderr();
}

describe("a start", () => {
  test("prints its address and a command that works as it stands", async () => {
    const service = await useServiceProcess({ DATABASE_URL: await createDatabase("postgres") });
    const address = await service.address();
    const command = /^ {2}(curl .*)$/m.exec(service.stderr())?.[1] ?? "";
    const [, url = "", body = ""] =
      /^curl -s '(\S+)' -H 'content-type: application\/json' -d '(.+)'$/.exec(command) ?? [];
    expect(url).toBe(`${address}/score`);
    const expected = { app: "cart", metric: "image_scan", score: 53.59 };
    expect(await (await post(url, "", JSON.parse(body))).json()).toMatchObject(expected);
    const hasCurl = await run("curl", ["--version"]).then(
      () => true,
      () => false,
    );
    if (hasCurl) expect(JSON.parse((await run("sh", ["-c", command])).stdout)).toMatchObject(expected);
    expect(await get(address, "/metrics")).toContain(" 53.59\n");
    expect(service.log().filter(({ level }) => level > 30)).toEqual([]);
  });

  test("reachable from elsewhere warns that anybody can write", async () => {
    const service = await useServiceProcess({ DATABASE_URL: await createDatabase("postgres"), HOST: "0.0.0.0" });
    expect(await service.logged("anybody who reaches this address can write")).toMatchObject({ level: 40 });
  });

  test("with tokens prints how to make one, and a command that sends it", async () => {
    const databaseUrl = await createDatabase("postgres");
    const service = await useServiceProcess({ DATABASE_URL: databaseUrl, AUTH: "token" });
    await service.address();
    const [, make = ""] = /^ {2}export MATURITY_TOKEN=\$\('\S+' '\S+' (token .*)\)$/m.exec(service.stderr()) ?? [];
    const [create = "", last] = make.split(" | ");
    expect(last).toBe("tail -n 1");
    const { stdout } = await runCommand(create.split(" "), { DATABASE_URL: databaseUrl });
    const send = /^ {2}curl .*$/m.exec(service.stderr())?.[0] ?? "";
    expect(send).toContain('-H "authorization: Bearer $MATURITY_TOKEN"');
    const [, url = "", body = ""] = /'(http\S+)'.* -d '(.+)'$/.exec(send) ?? [];
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${stdout.trim().split("\n").at(-1)}` },
      body,
    });
    expect(await answer.json()).toMatchObject({ app: "cart", score: 53.59 });
  });

  test("on a Node that is too old says in one line which it needs", async () => {
    const old = 'Object.defineProperty(process.versions, "node", { value: "20.20.2" }); delete Map.groupBy;';
    const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
    const parameters = [
      "--conditions=@maturity/source",
      "--import",
      `data:text/javascript,${encodeURIComponent(old)}`,
      main,
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { env: {}, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe("maturity-service needs Node 22.18 or newer; this is Node 20.20.2.\n");
  });

  test("with a configuration that cannot be used lists every fault in one message, and no value", async () => {
    const service = await useServiceProcess({
      DATABASE_URL: "mysql://root:sesame@db/maturity",
      PORT: "80000",
      LOG_LEVEL: "loud",
      CHAT_API_URL: "slack",
      AUTH: "magic",
    });
    const message = await refusal(service);
    expect(message).toMatch(/^maturity-service cannot start\. The configuration cannot be used:\n/);
    const faults = message.trim().split("\n").slice(1);
    expect(faults.map((fault) => fault.trim().split(" ")[0]).sort()).toEqual([
      "AUTH",
      "CHAT_API_URL",
      "DATABASE_URL",
      "LOG_LEVEL",
      "PORT",
    ]);
    expect(message).not.toContain("sesame");
  });

  test("without an address of the database says what is required", async () => {
    expect(await refusal(await useServiceProcess({}))).toContain("DATABASE_URL is required: postgres://");
  });

  test("with a scorecard package that is not installed, or needs one that is not, names it and the reason", async () => {
    const directory = await useDirectory();
    const environment = { DATABASE_URL: "pglite::memory:" };
    const missing = await useServiceProcess({ ...environment, SCORECARDS: "@acme/cost" }, directory);
    expect(await refusal(missing)).toBe(
      `maturity-service cannot start. the package @acme/cost is not installed; run npm install @acme/cost in ${directory}\n`,
    );
    const path = join(directory, "node_modules", "@acme", "cost");
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "package.json"), JSON.stringify({ name: "@acme/cost", exports: "./index.mjs" }));
    await writeFile(join(path, "index.mjs"), 'import "@acme/prices";');
    const incomplete = await useServiceProcess({ ...environment, SCORECARDS: "@acme/cost" }, directory);
    expect(await refusal(incomplete)).toMatch(
      /^maturity-service cannot start\. the package @acme\/cost fails to load: Cannot find package '@acme\/prices'/,
    );
  });

  test("on a port that is taken says so, without a stack", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const service = await useServiceProcess({ DATABASE_URL: await createDatabase("postgres"), PORT: String(port) });
    expect(await refusal(service)).toBe(
      `maturity-service cannot start. listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    );
  });

  test("that fails records no rules and writes no day: they would be of a process that nobody asked", async () => {
    const databaseUrl = await createDatabase("postgres");
    const first = await useServiceProcess({ DATABASE_URL: databaseUrl });
    await first.address();
    first.kill("SIGKILL");
    await first.exit;
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const stored = async () => {
      const sql =
        "SELECT (SELECT json_agg(policies) FROM policies) AS policies, (SELECT json_agg(audit) FROM audit) AS audit, day::text FROM roll_ups_until";
      return (await query(databaseUrl, sql)).rows[0];
    };
    await query(databaseUrl, "UPDATE roll_ups_until SET day = day - 3");
    const before = await stored();
    expect(before).toMatchObject({ policies: [{}], audit: [{ action: "policy.load" }] });
    const policy = join(await useDirectory(), "policy.yaml");
    await writeFile(policy, "levels: []");
    const second = await useServiceProcess({ DATABASE_URL: databaseUrl, PORT: String(port), POLICY: policy });
    expect(await refusal(second)).toContain("EADDRINUSE");
    expect(second.log().map(({ msg }) => msg)).not.toContainEqual(expect.stringContaining("recorded packages"));
    expect(await stored()).toEqual(before);
    // By a process that does listen both are done.
    const third = await useServiceProcess({ DATABASE_URL: databaseUrl, POLICY: policy });
    await third.logged(
      "recorded packages, weights, ages, levels or rules of what applies that differ from those recorded before",
    );
    await third.logged("the roll-ups of a day are written");
    expect((await stored()).audit).toHaveLength(2);
  });

  test("with a database that lets nobody in says so, without a stack", async () => {
    const url = new URL(await createDatabase("postgres"));
    url.pathname = "/no_such_database";
    expect(await refusal(await useServiceProcess({ DATABASE_URL: url.href }))).toBe(
      'maturity-service cannot start. database "no_such_database" does not exist\n',
    );
  });
});

describe("a start while another process changes the schema", () => {
  test("waits for it, says so, and serves once it is done", async () => {
    const databaseUrl = await createEmptyDatabase("postgres");
    const migration = await useOtherMigration(databaseUrl);
    const service = await useServiceProcess({ DATABASE_URL: databaseUrl });
    expect(await service.logged("another process is changing the schema; waiting for it")).toMatchObject({ level: 30 });
    await migration.awaitedBy(1);
    await migration.finish();
    expect((await post(await service.address(), "/score", score)).status).toBe(200);
  });
});

test("a database that a newer version has changed too far is refused in one message, without a stack", async () => {
  const databaseUrl = await createDatabase("postgres");
  await query(databaseUrl, "INSERT INTO knex_migrations (name, batch) VALUES ('901-teams', 9), ('902-levels', 9)");
  await query(databaseUrl, "UPDATE schema_works_from SET migration = '901-teams'");
  expect(await refusal(await useServiceProcess({ DATABASE_URL: databaseUrl }))).toBe(
    "maturity-service cannot start. a newer version of the service has changed the database (901-teams, 902-levels), and this one does not work on it; run that version or a later one, or restore a backup from before\n",
  );
});

describe("a database that comes and goes", () => {
  test("while it is not there a start waits and says why, and serves once it is there", async () => {
    const proxy = useTcpProxy(await createDatabase("postgres"), await freePort());
    const service = await useServiceProcess({ DATABASE_URL: proxy.url });
    const warning = await service.logged("the database is not reachable; next try in 500 ms");
    expect(warning).toMatchObject({ level: 40, reason: expect.stringContaining("ECONNREFUSED") });
    expect(service.stderr()).toBe("");
    await proxy.open();
    expect((await post(await service.address(), "/score", score)).status).toBe(200);
  });

  test("after its connections were cut, fell silent, and after it was away, the service comes back by itself", async () => {
    const proxy = useTcpProxy(await createDatabase("postgres"), await freePort());
    await proxy.open();
    const chat = await useChatServer();
    const environment = { DATABASE_URL: proxy.url, CHAT_BOT_TOKEN: "xoxb-sesame", CHAT_API_URL: chat.url };
    const service = await useServiceProcess(environment);
    const address = await service.address();
    const stores = async () => (await post(address, "/score", score)).status === 200;
    expect(await stores()).toBe(true);
    proxy.cut();
    await until(stores);
    expect(await get(address, "/healthz")).toBe('{"status":"ok"}');
    proxy.silence();
    await until(stores);
    await until(async () => (await get(address, "/healthz")) === '{"status":"ok"}');
    await proxy.shut();
    const refused = await post(address, "/score", score);
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 503,
      body: { code: "store-unavailable" },
    });
    await proxy.open();
    await until(stores);
    expect((await post(address, "/problem/scan-result", problem)).status).toBe(200);
    await until(() => chat.messages().length === 1);
    expect(await get(address, "/metrics")).toContain(series);
    expect(JSON.stringify(service.log()) + service.stderr()).not.toContain("sesame");
  });
});

describe("the embedded database", () => {
  test("keeps what was acknowledged when the process is killed, and lets one process in at a time", async () => {
    const data = join(await useDirectory(), "data");
    const environment = { DATABASE_URL: `pglite:${data}` };
    const first = await useServiceProcess(environment);
    expect((await post(await first.address(), "/score", score)).status).toBe(200);
    expect(await refusal(await useServiceProcess(environment))).toBe(
      `maturity-service cannot start. the embedded database in ${data} is in use by process ${first.pid} on ${hostname()}; stop it, or use PostgreSQL\n`,
    );
    first.kill("SIGKILL");
    expect(await first.exit).toEqual({ code: null, signal: "SIGKILL" });
    const second = await useServiceProcess(environment);
    expect(await get(await second.address(), "/metrics")).toContain(series);
    second.kill("SIGINT");
    expect(await second.exit).toEqual({ code: 0, signal: null });
  });
});
