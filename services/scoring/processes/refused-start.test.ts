import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { query } from "../test/support/postgres.ts";
import { createDatabase } from "../test/support/service.ts";
import { type ServiceProcess, useDirectory, useServiceProcess } from "../test/support/service-process.ts";

/** Ends with its message, all of it, on standard error. */
async function refusal(process: ServiceProcess): Promise<string> {
  expect(await process.exit).toEqual({ code: 1, signal: null });
  return process.stderr();
}

describe("a start", () => {
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

  test("with faulty variables, files and packages at once lists the faults of all in one message", async () => {
    const directory = await useDirectory();
    const file = async (name: string, text: string) => {
      await writeFile(join(directory, name), text);
      return name;
    };
    const files = {
      POLICY: await file("policy.yaml", "weights: { metrics: { cost.spent: -1 } }\nlevels: 3\n"),
      NOTIFY: await file("notify.yaml", "destinations: { hook: { kind: webhok } }\n"),
      OIDC_CONFIG: "oidc.yaml",
    };
    const environment = { DATABASE_URL: "pglite::memory:", PORT: "80000", AUTH: "oidc", ...files };
    const scorecards = `@acme/cost,@acme/docs,${await file("docs.yaml", "contract: 1\n")}`;
    const all = await refusal(await useServiceProcess({ ...environment, SCORECARDS: scorecards }, directory));
    expect(all.match(/^.*(?:cannot be|is not installed).*$/gm)).toEqual([
      "maturity-service cannot start. The configuration cannot be used:",
      `the package @acme/cost is not installed; run npm install @acme/cost in ${directory}`,
      `the package @acme/docs is not installed; run npm install @acme/docs in ${directory}`,
      `the scorecard ${join(directory, "docs.yaml")} cannot be used:`,
      "The policy policy.yaml cannot be used:",
      "NOTIFY notify.yaml cannot be used:",
      expect.stringMatching(/^OIDC_CONFIG oidc.yaml cannot be read: ENOENT: .+$/),
    ]);
    expect(all).toContain("\n  PORT must be less than or equal to 65535\n");
    expect(all).toContain("\n  line 1: weights.metrics.cost.spent must be above 0\n  line 2: levels must be a list\n");
    // With scorecards that cannot be named at all the policy is read too; with good ones its names are checked.
    const unnamed = await refusal(await useServiceProcess({ ...environment, SCORECARDS: "a,,b" }, directory));
    expect(unnamed).toContain("\n  SCORECARDS must be package names");
    expect(unnamed).toContain("\n  line 1: weights.metrics.cost.spent must be above 0\n");
    expect(unnamed).not.toContain("not installed");
    const named = await refusal(await useServiceProcess(environment, directory));
    expect(named).toContain("\n  line 1: weights.metrics.cost.spent is no installed metric;");
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

  test.each([
    ["a port that is taken", "127.0.0.1", "listen EADDRINUSE: address already in use 127.0.0.1:PORT"],
    ["an address of another machine", "192.0.2.1", "listen EADDRNOTAVAIL: address not available 192.0.2.1:PORT"],
    ["a host that is unknown", "no-host.invalid", "getaddrinfo E[A-Z_]+ no-host.invalid"],
  ])("on %s names the settings, without a stack", async (_, HOST, fault) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const databaseUrl = await createDatabase("postgres");
    const service = await useServiceProcess({ DATABASE_URL: databaseUrl, HOST, PORT: String(port) });
    const expected = `maturity-service cannot start. HOST ${HOST}, PORT ${port}: ${fault.replace("PORT", String(port))}; HOST must be an address of this machine, and PORT free\n`;
    expect(await refusal(service)).toMatch(new RegExp(`^${expected}$`));
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
    const shown = url.href.replace(`:${url.password}@`, "@");
    expect(await refusal(await useServiceProcess({ DATABASE_URL: url.href }))).toBe(
      `maturity-service cannot start. DATABASE_URL ${shown}: database "no_such_database" does not exist; create this database there, or name another\n`,
    );
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
