import { once } from "node:events";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { createEmptyDatabase } from "../test/support/empty-database.ts";
import { query } from "../test/support/postgres.ts";
import { runCommand } from "../test/support/service-command.ts";

/** A database that only counts who comes to it. */
async function useWatchedDatabase() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { environment: { DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/m` }, connections: () => connections };
}

describe("a command that is called the wrong way is refused with its usage, and touches no database", () => {
  test.each([
    ["token make", "unknown command 'make'", "maturity-service token"],
    ["notifications list --colour", "unknown option '--colour'", "maturity-service notifications list"],
    ["import rows.ndjson", "too many arguments for 'import'. Expected 0 arguments", "maturity-service import <"],
    ["serve 80", "too many arguments for 'serve'. Expected 0 arguments", "maturity-service serve"],
    ["demo cart", "too many arguments for 'demo'. Expected 0 arguments", "maturity-service demo"],
    ["demo --oidc-config oidc.yaml", "--oidc-config needs --serve", "maturity-service demo"],
    ["demo --notify notify.yaml", "--notify needs --serve", "maturity-service demo"],
    ["demo --serve --if-empty", "--if-empty is not for --serve", "maturity-service demo"],
    ["--port 80", "unknown option '--port'", "runs the service"],
    ["constructor", "unknown command 'constructor'", "runs the service"],
    ["exprot", "unknown command 'exprot'\n(Did you mean export?)", "runs the service"],
    ["\u001b[2J\u202e", "unknown command '\\u{1b}[2J\\u{202e}'", "runs the service"],
  ])("%s", async (line, reason, usage) => {
    const { environment, connections } = await useWatchedDatabase();
    const { code, stdout, stderr } = await runCommand(line.split(" "), environment);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`maturity-service: ${reason}`);
    expect(stderr).toContain(usage);
    expect(connections()).toBe(0);
  });
});

test("a wrong use is said before a setting that is missing", async () => {
  expect((await runCommand(["token", "make"], {})).stderr).toContain("unknown command 'make'");
  expect((await runCommand(["token", "list"], {})).stderr).toContain("DATABASE_URL is required");
});

test("what cannot be done is said in one line, without the usage", async () => {
  const databaseUrl = await createEmptyDatabase("postgres");
  expect(await runCommand(["token", "revoke", "7"], { DATABASE_URL: databaseUrl })).toEqual({
    code: 1,
    stdout: "",
    stderr: "maturity-service: there is no token 7 to revoke\n",
  });
  const id = "00000000-0000-4000-8000-000000000000";
  expect(await runCommand(["notifications", "retry", id], { DATABASE_URL: databaseUrl })).toEqual({
    code: 1,
    stdout: "",
    stderr: `maturity-service: nothing was put back: ${id} is no dead letter\n`,
  });
  expect(await query(databaseUrl, "SELECT FROM tokens")).toMatchObject({ rows: [] });
  const used = "INSERT INTO roll_up_targets (area, env) VALUES ('shop', 'prod') RETURNING id";
  const { rows } = await query(databaseUrl, used);
  await query(databaseUrl, `INSERT INTO roll_up_days VALUES (${rows[0].id}, '2026-01-31', 1, 50, 1, 1, 50)`);
  expect(await runCommand(["demo"], { DATABASE_URL: databaseUrl })).toMatchObject({
    ...{ code: 1, stdout: "" },
    stderr: expect.stringMatching(
      /^maturity-service: this store is not empty; .* name another database in DATABASE_URL\n$/,
    ),
  });
});

test("an import of a directory is refused, and touches no database", async () => {
  const { environment, connections } = await useWatchedDatabase();
  const directory = await open(import.meta.dirname);
  onTestFinished(() => directory.close());
  expect(await runCommand(["import"], environment, directory.fd)).toEqual({
    code: 1,
    stdout: "",
    stderr: "maturity-service: standard input is a directory; pass the file that export wrote: import < rows.ndjson\n",
  });
  expect(connections()).toBe(0);
});

describe("help and version need no settings", () => {
  test.each([
    ["-h", "runs the service"],
    ["help", "runs the service"],
    ["help token", "create [options]"],
    ["help serve", "maturity-service serve"],
    ["token create -h", "maturity-service token create"],
    ["export --help", "maturity-service export [options] >"],
  ])("%s", async (line, usage) => {
    const { code, stdout, stderr } = await runCommand(line.split(" "), {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(usage);
  });

  test.each(["--version", "notifications list -v"])("%s", async (line) => {
    expect(await runCommand(line.split(" "), {})).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  });
});

describe("of all packages from elsewhere only the reader of the command line is loaded", () => {
  const showPackages = `
    import { registerHooks } from "node:module";
    const packages = new Set();
    registerHooks({
      load(url, context, next) {
        const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
        if (name) packages.add(name);
        return next(url, context);
      },
    });
    process.on("exit", () => process.stderr.write("loaded: " + [...packages].sort()));
  `;
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(showPackages)}` };

  test.each([
    "--help",
    "--version",
    "help",
    "help serve",
    "serve --help",
    "token create --help",
    "session list --help",
    "notifications retry --help",
    "export --help",
    "import --help",
    "demo --help",
    "exprot",
    "serve 80",
    "token create --name x --scope write",
    "notifications retry",
    "export rows.ndjson",
    "import rows.ndjson",
  ])("for %s", async (line) => {
    const { stderr } = await runCommand(line.split(" "), environment);
    expect(stderr.split("loaded: ").at(-1)).toBe("commander");
  });

  test("unlike for what needs the database", async () => {
    const { stderr } = await runCommand(["token", "list"], environment);
    expect(stderr.split("loaded: ").at(-1)).toMatch(/\bjoi,.*\bknex\b/);
  });
});

test.each(["/proc/x/y", "/dev/null/x"])("an embedded database in %s is refused at once", async (directory) => {
  const create = ["token", "create", "--name", "one", "--scope", "read"];
  const { code, stderr } = await runCommand(create, { DATABASE_URL: `pglite:${directory}` });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    `maturity-service: the directory ${directory} of the embedded database cannot be made, written or locked: E`,
  );
});

test.each([[["export"]], [["token", "list"]], [["session", "list"]]])("%s makes no embedded database", async (args) => {
  const folder = await mkdtemp(join(tmpdir(), "maturity-none-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const missing = join(folder, "typo");
  const { code, stdout, stderr } = await runCommand(args, { DATABASE_URL: `pglite:${missing}` });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`there is no database in ${missing}`);
  expect(await readdir(folder)).toEqual([]);
});
