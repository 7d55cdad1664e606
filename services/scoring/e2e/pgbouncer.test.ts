import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../src/store/database.ts";
import { freePort, query, withDatabase } from "../test/support/postgres.ts";
import { createDatabase, until } from "../test/support/service.ts";
import { useDirectory, useServiceProcess } from "../test/support/service-process.ts";

/** Starts pgbouncer before the server of this address, for one test, and returns its own address. */
async function usePgbouncer(databaseUrl: string, mode: "session" | "transaction" = "session"): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const directory = await useDirectory();
  await chmod(directory, 0o755); // where root starts it, it runs as another user
  const file = join(directory, "pgbouncer.ini");
  const ownPort = await freePort();
  const settings = `
[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === "session" ? 20 : 1}
`;
  await writeFile(file, settings);
  const child = spawn("pgbouncer", [...(process.getuid?.() === 0 ? ["-u", "nobody"] : []), file], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exit = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error("pgbouncer ended");
    const socket = connect(ownPort, "127.0.0.1");
    const opened = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    return opened;
  });
  return withDatabase(`postgres://${username}@127.0.0.1:${ownPort}`, pathname.slice(1));
}

test("behind pgbouncer in session mode it starts, stores, is scraped, moves and keeps its limits", async () => {
  const databaseUrl = await createDatabase("postgres");
  const service = await useServiceProcess({ DATABASE_URL: await usePgbouncer(databaseUrl), LOG_LEVEL: "warn" });
  const address = await service.address();
  const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };
  const send = (path: string, body: object) =>
    fetch(`${address}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const submit = (critical: number) =>
    send("/score", { ...target, scorecard: "security", metric: "image_scan", raw: { critical, high: 0, medium: 0 } });
  const answers = await Promise.all(Array.from({ length: 40 }, () => submit(1)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const text = await (await fetch(`${address}/metrics?collect[]=scores`)).text();
  expect(text).toContain("} 50.00\n");
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE scores");
  expect((await submit(2)).status).toBe(503);
  await holder.query("COMMIT");
  expect((await submit(2)).status).toBe(200);
  const names = Array.from({ length: 10 }, (_, number) => ({ area: "shop", team: "checkout", app: `cart-${number}` }));
  let from = { area: "shop", team: "checkout", app: "cart" };
  for (const to of names) {
    expect((await send("/apps/move", { from, to })).status).toBe(200);
    const reports = await Promise.all(Array.from({ length: 20 }, () => submit(1)));
    for (const report of reports) expect(await report.json()).toMatchObject({ ...target, moved_to: to });
    from = to;
  }
});

test("behind pgbouncer in either mode every connection goes by UTC, whatever the database and other callers say", async () => {
  const databaseUrl = await createDatabase("postgres");
  const name = new URL(databaseUrl).pathname.slice(1);
  await query(databaseUrl, `ALTER DATABASE ${name} SET TimeZone = 'America/New_York'`);
  for (const mode of ["session", "transaction"] as const) {
    const url = await usePgbouncer(databaseUrl, mode);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const database = openDatabase(url, 1);
    for (const zone of ["Europe/Berlin", "Asia/Kolkata"]) {
      // In transaction mode both have the same connection to the server in turn.
      await other.query(`SET TimeZone = '${zone}'`);
      expect((await database.knex.raw("SHOW TimeZone")).rows).toEqual([{ TimeZone: "UTC" }]);
      expect((await other.query("SHOW TimeZone")).rows).toEqual([{ TimeZone: zone }]);
    }
    await other.end();
    await database.close();
  }
});
