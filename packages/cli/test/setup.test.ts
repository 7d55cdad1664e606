import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createToken, hashToken } from "../../../services/scoring/src/auth/token.ts";
import { insertToken } from "../../../services/scoring/src/auth/tokens.ts";
import type { Bounds, Scope } from "../../../services/scoring/src/model/grant.ts";
import { clockToleranceS } from "../../../services/scoring/src/model/limits.ts";
import { freePort } from "../../../services/scoring/test/support/postgres.ts";
import { useDirectory } from "../../../test-support/trees.ts";
import { toleratedSkewMs } from "../src/commands/doctor.ts";
import { findSettingsFile } from "../src/settings-file.ts";
import { maturity, target } from "./support/cli.ts";
import { listeningService } from "./support/listening-service.ts";

describe("maturity.yaml", () => {
  test("is found upward, and every value is a text", async () => {
    const cwd = await useDirectory();
    await mkdir(join(cwd, ".git"));
    await mkdir(join(cwd, "a/b"), { recursive: true });
    await writeFile(join(cwd, "maturity.yaml"), "area: no\nteam: 1.10\napp: 007\nscorecards:\n  - '@acme/cost'\n");
    expect(await findSettingsFile(join(cwd, "a/b"))).toEqual({
      path: join(cwd, "maturity.yaml"),
      values: { area: "no", team: "1.10", app: "007", scorecards: "@acme/cost" },
    });
  });

  test.each<[string, string, string]>([
    ["a key that is no setting", "application: cart", "application is not a setting; there are url, area, "],
    [
      "a key that is mistyped",
      "chat_chanel: ops",
      "chat_chanel is not a setting; did you mean chat_channel? There are url, ",
    ],
    ["a token", "token: hunter2", "token does not belong into a file of the repository"],
    ["a list", "- app", "must hold settings such as app: cart"],
    ["a value that is no text", "app: [cart]", "app must be a text"],
    ["what is no YAML", "app: 'cart", "is not valid YAML"],
    ["two of a key", "app: a\napp: b", "is not valid YAML"],
  ])("%s is said", async (_, text, message) => {
    const cwd = await useDirectory();
    await writeFile(join(cwd, "maturity.yaml"), text);
    const { code, stderr } = await maturity(["submit", "--dry-run", "-m", "sla", "--raw", "availability_pct=1"], {
      cwd,
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain("hunter2");
  });

  test("an empty one says nothing", async () => {
    const cwd = await useDirectory();
    await writeFile(join(cwd, "maturity.yaml"), "# later\n");
    expect(await findSettingsFile(cwd)).toEqual({ path: join(cwd, "maturity.yaml"), values: {} });
  });
});

describe("maturity init", () => {
  test("writes what flags and environment say", async () => {
    const cwd = await useDirectory();
    const argv = ["init", "--area", "shop", "--team", 'a "b" \\', "--app", "caf\u00e9 \u{1f600}: #1"];
    const result = await maturity(argv, { cwd, env: { MATURITY_URL: "https://maturity.example.com" } });
    expect(result).toEqual({ code: 0, stdout: "wrote maturity.yaml\n", stderr: "" });
    expect((await findSettingsFile(cwd))?.values).toEqual({
      area: "shop",
      team: 'a "b" \\',
      app: "caf\u00e9 \u{1f600}: #1",
      url: "https://maturity.example.com",
    });
  });

  test("asks for the rest on a terminal, and proposes the name of the directory", async () => {
    const cwd = join(await useDirectory(), "till");
    await mkdir(cwd);
    const stdin = ["\n", "shop\n", "checkout\n", "\n", "prod\n", "\n"];
    const { code, stderr } = await maturity(["init"], { cwd, stdin, isTTY: true });
    expect(code).toBe(0);
    expect(stderr).toContain("Application [till]: ");
    expect((await findSettingsFile(cwd))?.values).toEqual({ area: "shop", team: "checkout", app: "till", env: "prod" });
  });

  test("writes nothing when the answers end", async () => {
    const cwd = await useDirectory();
    const result = await maturity(["init"], { cwd, stdin: ["shop\n"], isTTY: true });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing is written") });
    expect(await findSettingsFile(cwd)).toBeUndefined();
  });

  test("does not wait for answers where nobody can give them", async () => {
    const result = await maturity(["init", "--area", "shop"], { cwd: await useDirectory() });
    expect(result).toMatchObject({ code: 2, stderr: "maturity: give --team, --app; there is no terminal to ask on\n" });
  });

  test("replaces a file only when asked to", async () => {
    const cwd = await useDirectory();
    const path = join(cwd, "maturity.yaml");
    await writeFile(path, "app: kept\n");
    const argv = ["init", "--area", "shop", "--team", "checkout", "--app", "cart"];
    expect(await maturity(argv, { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--force replaces it"),
    });
    expect(await readFile(path, "utf8")).toBe("app: kept\n");
    expect((await maturity([...argv, "--force"], { cwd })).code).toBe(0);
    expect((await findSettingsFile(cwd))?.values.app).toBe("cart");
  });

  test("says before it asks that there is a file", async () => {
    const cwd = await useDirectory();
    await writeFile(join(cwd, "maturity.yaml"), "app: kept\n");
    const { code, stderr } = await maturity(["init"], { cwd, stdin: ["shop\n"], isTTY: true });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `maturity: ${join(cwd, "maturity.yaml")} is there already; --force replaces it\n`,
    });
  });

  test.each([
    ["ftp://maturity.example.com", "the url must begin with http:// or https://"],
    ["maturity", "the url must be an address such as https://maturity.example.com"],
    ["https://me:hunter2@maturity.example.com", "the url must hold no user name and no password; give a token"],
  ])("refuses the address %s", async (url, reason) => {
    const cwd = await useDirectory();
    const argv = ["init", "--area", "shop", "--team", "checkout", "--app", "cart", "--url", url];
    expect(await maturity(argv, { cwd })).toMatchObject({ code: 2, stderr: `maturity: ${reason}\n` });
    expect(await findSettingsFile(cwd)).toBeUndefined();
  });

  test("refuses a name that the service would refuse", async () => {
    const argv = ["init", "--area", "shop", "--team", "x".repeat(201), "--app", "cart"];
    expect(await maturity(argv, { cwd: await useDirectory() })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("team must be a text of 1 to 200 characters"),
    });
  });
});

describe("maturity doctor", () => {
  const service = listeningService({ auth: "token" });

  const makeToken = async (scopes: readonly Scope[], bounds: Bounds = {}) => {
    const token = createToken();
    await insertToken(service.database.knex, { name: "test", hash: hashToken(token), scopes, bounds });
    return token;
  };
  const doctor = async (env: Record<string, string>, now?: () => number, more: readonly string[] = []) => {
    const cwd = await useDirectory();
    const options = { cwd, env: { MATURITY_URL: service.url, ...env }, ...(now && { now }) };
    return maturity(["doctor", "--json", ...more], options);
  };
  const checkOf = (stdout: string, wanted: string) =>
    JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === wanted);

  test("all is well", async () => {
    const env = { ...target, MATURITY_TOKEN: await makeToken(["score:write", "problem:write", "read"]) };
    const cwd = await useDirectory();
    const result = await maturity(["doctor", "--url", service.url], { cwd, env });
    expect(result.code).toBe(0);
    expect(result.stdout.replaceAll(service.url, "http://service")).toBe(`\
ok       settings   no maturity.yaml here or above; url (--url), area (MATURITY_AREA), team (MATURITY_TEAM), app (MATURITY_APP), env (MATURITY_ENV)
ok       target     shop / checkout / cart / prod
ok       run        no CI: reports carry no pipeline_id and project_repo
ok       service    http://service
ok       version    service 0.1.0, this program 0.1.0
ok       clock      as the service's
ok       transport  local
ok       token      MATURITY_TOKEN: may submit scores, report problems, read
`);
    expect(await service.rows("scores")).toEqual([]);
    expect(await service.rows("problems")).toEqual([]);
  });

  test.each<[string, readonly Scope[], Bounds, number, string]>([
    ["a pipeline's", ["score:write"], {}, 0, "may submit scores; may not report problems, read"],
    ["a reader's", ["read"], {}, 0, "may read; may not submit scores, report problems"],
    ["an admin's", ["admin"], {}, 0, "may submit scores, report problems, read"],
    ["one bound to this area", ["admin"], { area: "shop" }, 0, "may submit scores, report problems, read"],
    ["one bound elsewhere", ["admin"], { area: "bank" }, 0, "only for area bank, and the target is shop"],
  ])("the rights of a token: %s", async (_, scopes, bounds, code, text) => {
    const result = await doctor({ ...target, MATURITY_TOKEN: await makeToken(scopes, bounds) });
    expect(result.code).toBe(code);
    expect(checkOf(result.stdout, "token").text).toContain(text);
  });

  test.each<[string, string | undefined, string]>([
    [
      "no token",
      undefined,
      " (there was none; set MATURITY_TOKEN, or give --token-file; maturity-service token create makes one)",
    ],
    [
      "an unknown token",
      createToken(),
      " (the token came from MATURITY_TOKEN; give another; maturity-service token create makes one)",
    ],
  ])("%s", async (_, token, said) => {
    const result = await doctor({ ...target, ...(token && { MATURITY_TOKEN: token }) });
    expect(result.code).toBe(3);
    expect(checkOf(result.stdout, "token")).toMatchObject({ state: "failed", text: expect.stringContaining(said) });
    expect(result.stdout + result.stderr).not.toContain(token ?? "maturity_");
  });

  const github = {
    ACTIONS_ID_TOKEN_REQUEST_URL: "http://127.0.0.1:1/",
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "bearer",
  };
  test.each<[string, Record<string, string>, number, string]>([
    ["that no header can hold", { MATURITY_TOKEN: "ä" }, 2, "MATURITY_TOKEN: the token holds white space or"],
    ["that the CI does not give", github, 4, "GitHub Actions (OIDC): GitHub Actions gave no ID token"],
  ])("a token %s is not a fault of the service", async (_, env, code, text) => {
    const result = await doctor({ ...target, ...env }, undefined, ["--timeout", "1"]);
    expect(result.code).toBe(code);
    expect(JSON.parse(result.stdout).checks.filter(({ state }: { state: string }) => state === "failed")).toEqual([
      { name: "token", state: "failed", text: expect.stringContaining(text) },
    ]);
    const submit = ["submit", "-m", "sla", "-r", "availability_pct=1", "--timeout", "1", "--url", service.url];
    expect(await maturity(submit, { env: { ...target, ...env } })).toMatchObject({ code });
  });

  test("as much difference of clocks is well as the service forgives", async () => {
    expect(toleratedSkewMs).toBe(clockToleranceS * 1_000);
    let sent = 0;
    const states: string[] = [];
    for (const seconds of [8, -8, 12, -12]) {
      // The answers show the time of this clock, which is the one that the program reads, and so many seconds more.
      const fetch: typeof globalThis.fetch = async (request) => {
        const response = await globalThis.fetch(request);
        sent++;
        const date = new Date(1_000_000_000_000 + seconds * 1_000).toUTCString();
        return new Response(response.body, {
          status: response.status,
          headers: { ...Object.fromEntries(response.headers), date },
        });
      };
      const options = { cwd: await useDirectory(), env: { MATURITY_URL: service.url }, fetch };
      const { stdout } = await maturity(["doctor", "--json"], { ...options, now: () => 1_000_000_000_000 });
      states.push(checkOf(stdout, "clock").state);
    }
    expect(sent).toBeGreaterThan(0);
    expect(states).toEqual(["ok", "ok", "warning", "warning"]);
  });

  test("a clock that is wrong", async () => {
    const env = { ...target, MATURITY_TOKEN: await makeToken(["admin"]) };
    const { stdout } = await doctor(env, () => Date.now() + 300_000);
    expect(checkOf(stdout, "clock")).toMatchObject({
      state: "warning",
      text: expect.stringMatching(/^(299|300|301) s ahead of/),
    });
  });

  test.each([
    ["none", {}],
    ["MATURITY_TOKEN", { MATURITY_TOKEN: "secret-t0ken" }],
  ])("no address, and the token is %s", async (from, env) => {
    const { code, stdout } = await maturity(["doctor"], { cwd: await useDirectory(), env });
    expect({ code, lines: stdout.trimEnd().split("\n").slice(-2) }).toEqual({
      code: 2,
      lines: [
        "failed   service    no address: give --url, MATURITY_URL or url in maturity.yaml",
        `warning  token      ${from}: not tried, since there is no address`,
      ],
    });
  });

  test("an address that is never asked is not tried again", async () => {
    const url = "http://127.0.0.1:1";
    const { code, stdout, stderr } = await maturity(["doctor", "--url", url], { cwd: await useDirectory() });
    expect({ code, stderr }).toEqual({ code: 4, stderr: "" });
    expect(stdout).toContain(`failed   service    ${url} has a port to which fetch sends nothing; let the service`);
  });

  test("nobody at the address", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const result = await maturity(["doctor", "--url", url, "--timeout", "1"], { cwd: await useDirectory() });
    expect(result).toMatchObject({
      code: 4,
      stdout: expect.stringContaining(`failed   service    cannot reach ${url}`),
    });
  });
});
