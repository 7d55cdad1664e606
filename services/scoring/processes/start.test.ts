import { execFile } from "node:child_process";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { useChatServer } from "../test/support/chat-server.ts";
import { createEmptyDatabase } from "../test/support/empty-database.ts";
import { useOtherMigration } from "../test/support/other-migration.ts";
import { get, post } from "../test/support/own-connection.ts";
import { freePort } from "../test/support/postgres.ts";
import { problem } from "../test/support/problem-report.ts";
import { createDatabase, until } from "../test/support/service.ts";
import { runCommand } from "../test/support/service-command.ts";
import { useDirectory, useServiceProcess } from "../test/support/service-process.ts";
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
    const other = await useServiceProcess(environment);
    expect(await other.exit).toEqual({ code: 1, signal: null });
    expect(other.stderr()).toBe(
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
