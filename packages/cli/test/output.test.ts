import { execFile } from "node:child_process";
import { chmod, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { useDirectory } from "../../../test-support/trees.ts";
import { maturity, target } from "./support/cli.ts";
import { lcov } from "./support/sample-reports.ts";

const gate = ["gate", "--min", "80", "--metric", "unit_coverage", "-"];
const stdin = lcov("cart.ts", 1, 2, 3, 4);
const isColored = (text: string) => text.includes("\u001b[");

describe("colours", () => {
  test.each<[string, boolean, Record<string, string>, boolean]>([
    ["on a terminal", true, {}, true],
    ["not in a pipe", false, {}, false],
    ["not where NO_COLOR is set", true, { NO_COLOR: "1" }, false],
    ["not in a pipe that calls itself a terminal", false, { TERM: "xterm-256color", CI: "true" }, false],
    ["not on a dumb terminal", true, { TERM: "dumb" }, false],
    ["in a pipe where FORCE_COLOR asks for them", false, { FORCE_COLOR: "1" }, true],
    ["not where FORCE_COLOR is 0", true, { FORCE_COLOR: "0" }, false],
    ["not where both are set", true, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("%s", async (_, isTTY, env, expected) => {
    const { code, stdout } = await maturity(gate, { stdin, isTTY, env });
    expect(code).toBe(1);
    expect(isColored(stdout)).toBe(expected);
  });

  test("never in JSON", async () => {
    const { stdout } = await maturity([...gate, "--json"], { stdin, isTTY: true });
    expect(isColored(stdout)).toBe(false);
    expect(JSON.parse(stdout)).toMatchObject({ met: false });
  });
});

test("a score is a bar on a terminal, and a number alone elsewhere", async () => {
  const options = { stdin, env: { NO_COLOR: "1" } };
  expect((await maturity(gate, { ...options, isTTY: true })).stdout).toMatch(/^unit_coverage █{4}░{6} 40 by/);
  expect((await maturity(gate, options)).stdout).toMatch(/^unit_coverage 40 by/);
});

describe("what goes on", () => {
  const env = { ...target, MATURITY_URL: "http://service.invalid" };
  const argv = ["submit", "-m", "sla", "--raw", "availability_pct=100"];
  const score = { metric: "sla", score: 100, reasons: [], scorer: "x@1", reported_at: "2026-01-01T00:00:00.000Z" };

  test("is shown on a terminal, in a line that goes away", async () => {
    const { stderr } = await maturity(argv, { env, isTTY: true, fetch: async () => Response.json(score) });
    expect(stderr).toBe("\r\u001b[Ksending …\r\u001b[K");
  });

  test("is not shown elsewhere", async () => {
    const { stderr } = await maturity(argv, { env, fetch: async () => Response.json(score) });
    expect(stderr).toBe("");
  });

  test("each pause is said, with why", async () => {
    let calls = 0;
    const overloaded = { statusCode: 503, code: "overloaded", message: "too many requests in flight" };
    const fetch = async () => (++calls === 1 ? Response.json(overloaded, { status: 503 }) : Response.json(score));
    const { code, stderr } = await maturity(argv, { env, fetch });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^warning: too many requests in flight; trying again in 0\.\d s\n$/),
    });
  });
});

test("-o takes the whole result, colours and notes aside, and leaves the file alone until it is there", async () => {
  const cwd = await useDirectory();
  const { code, stdout } = await maturity([...gate, "--json", "-o", "result.json"], { stdin, cwd, isTTY: true });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(JSON.parse(await readFile(join(cwd, "result.json"), "utf8"))).toMatchObject({ met: false });
  expect(await readdir(cwd)).toEqual(["result.json"]);
});

describe("-o", () => {
  test.each([
    ["no/such/directory", "its directory is not there"],
    [".", "it is a directory; name a file in it"],
  ])("%s is refused: %s", async (path, reason) => {
    const { code, stderr } = await maturity([...gate, "-o", path], { stdin, cwd: await useDirectory() });
    const message = `--output ${path} cannot be written: ${reason}`;
    expect({ code, stderr }).toEqual({ code: 2, stderr: `maturity: ${message}\n` });
    let calls = 0;
    const fetch = async () => {
      calls++;
      return Response.json({});
    };
    const options = { cwd: await useDirectory(), env: { ...target, MATURITY_URL: "http://service.invalid" }, fetch };
    const sent = await maturity(["submit", "-m", "sla", "-r", "availability_pct=1", "--json", "-o", path], options);
    expect({ ...sent, calls }).toEqual({
      code: 2,
      stdout: `${JSON.stringify({ error: { code: "wrong-usage", message } })}\n`,
      stderr: "",
      calls: 0,
    });
  });

  test("writes through links, to files that are there and to new ones, and keeps permissions", async () => {
    const cwd = await useDirectory();
    const path = (name: string) => join(cwd, name);
    await writeFile(path("secret.json"), "");
    await chmod(path("secret.json"), 0o606);
    await symlink("secret.json", path("link"));
    await symlink("new.json", path("dangling"));
    for (const [link, target] of [["link", "secret.json"] as const, ["dangling", "new.json"] as const]) {
      expect(await maturity([...gate, "--json", "-o", link], { stdin, cwd })).toMatchObject({ code: 1, stderr: "" });
      expect(await readlink(path(link))).toBe(target);
      expect(JSON.parse(await readFile(path(target), "utf8"))).toMatchObject({ met: false });
    }
    expect((await stat(path("secret.json"))).mode & 0o777).toBe(0o606);
    expect((await readdir(cwd)).sort()).toEqual(["dangling", "link", "new.json", "secret.json"]);
  });

  test.each<[string, readonly string[], string]>([
    ["the error as JSON", ["--json"], '{"error":{"code":"unreachable",'],
    ["the error after the items of NDJSON", ["--ndjson"], '{"error":{"code":"unreachable",'],
    ["nothing, and stays as it was", [], "old"],
    ["no part of a table in CSV, and stays as it was", ["--csv"], "old"],
  ])("where the command fails, the file gets %s", async (_, flags, expected) => {
    const cwd = await useDirectory();
    await writeFile(join(cwd, "list"), "old");
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) controller.error(new Error("reset"));
        else controller.enqueue(Buffer.from("area,team,app\r\nshop,che"));
        sent = true;
      },
    });
    const fetch = async () => {
      if (!flags.includes("--csv")) throw new TypeError("fetch failed");
      return new Response(body, { headers: { "content-type": "text/csv" } });
    };
    const argv = ["score", "list", ...flags, "-o", "list", "--url", "http://service.invalid", "--timeout", "1"];
    expect(await maturity(argv, { cwd, fetch })).toMatchObject({ code: 4, stdout: "" });
    expect(await readFile(join(cwd, "list"), "utf8")).toMatch(expected);
    expect(await readdir(cwd)).toEqual(["list"]);
  });

  test.skipIf(process.platform === "win32")("writes into a pipe, and leaves it in place", async () => {
    const cwd = await useDirectory();
    const pipe = join(cwd, "pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    const [{ code }, text] = await Promise.all([
      maturity([...gate, "--json", "-o", "pipe"], { stdin, cwd }),
      readFile(pipe, "utf8"),
    ]);
    expect([code, JSON.parse(text)]).toEqual([1, expect.objectContaining({ met: false })]);
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });
});

describe("with", () => {
  const env = { MATURITY_URL: "http://service.invalid" };
  const empty = { as_of: "2026-01-01T00:00:00Z", items: [], next: null, total: 0 };
  const fetch = async () => Response.json(empty);

  test("--quiet there are no notes, warnings and progress", async () => {
    const argv = ["app", "list", "--app", "nothing"];
    expect((await maturity(argv, { env, fetch, isTTY: true })).stderr).toContain("there is no application nothing");
    expect(await maturity([...argv, "-q"], { env, fetch, isTTY: true })).toMatchObject({ code: 0, stderr: "" });
  });

  test("--verbose each request is said, and where an error comes from", async () => {
    const { stderr } = await maturity(["team", "list", "--verbose"], { env, fetch });
    expect(stderr).toMatch(/^GET http:\/\/service\.invalid\/teams\?\S+ 200 in \d+ ms\n/);
    const wrong = await maturity(["team", "list", "--below", "x", "--verbose"], { env, fetch });
    expect(wrong.stderr).toMatch(/^maturity: --below must be from 0 to 100\n.*\n {4}at /s);
  });
});

test("wrong usage is JSON too where asked for", async () => {
  const { code, stdout } = await maturity(["gate", "--json", "--no-such"]);
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 2,
    error: { code: "wrong-usage", message: "unknown option '--no-such'" },
  });
});

test("a fault of the program itself ends with 70, and shows where", async () => {
  const { code, stderr } = await maturity(["doctor"], { cwd: 7 as unknown as string });
  expect({ code, stderr }).toEqual({ code: 70, stderr: expect.stringMatching(/^maturity: .+\n.*\n {4}at /s) });
});

test.each([
  ["submti", "submit"],
  ["waivr", "waiver"],
])("the misspelt command %s is said to be called %s", async (given, meant) => {
  const { code, stderr } = await maturity([given]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `maturity: unknown command '${given}'\n(Did you mean ${meant}?)\n(maturity --help shows more)\n`,
  });
});
