import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compileCache } from "../../../services/scoring/test/support/compile-cache.ts";
import { useDirectory, useTree } from "../../../test-support/trees.ts";
import { exitCodes } from "../src/exit-codes.ts";
import { useServer } from "../test/support/collecting.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Runs a line of bash in which `maturity` is the program, and a file takes 4 KiB, about half of the list of formats. */
async function bash(line: string) {
  const cwd = await useDirectory();
  const script = `maturity() { "${process.execPath}" --conditions=@maturity/source "${main}" "$@"; }; ulimit -f 4; ${line}`;
  const child = spawn("bash", ["--norc", "-c", script], { cwd, env: { PATH: process.env.PATH } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { cwd, result: { code, stdout, stderr } };
}

describe.skipIf(process.platform === "win32")("a file that has no room for the whole result", () => {
  test("of --output is not made", async () => {
    const { cwd, result } = await bash("maturity formats --json -o formats.json");
    expect(result).toEqual({
      code: exitCodes.unwritten,
      stdout: `{"error":{"code":"unwritten","message":"--output formats.json cannot be written: file too large"}}\n`,
      stderr: "",
    });
    expect(await readdir(cwd)).toEqual([]);
  });

  test.each(["formats --json", "submit --help"])("of standard output: %s", async (command) => {
    const { cwd, result } = await bash(`{ maturity ${command}; } > result`);
    expect(result).toEqual({
      code: exitCodes.unwritten,
      stdout: "",
      stderr: "maturity: standard output cannot be written: file too large\n",
    });
    expect((await stat(join(cwd, "result"))).size).toBe(4_096);
  });
});

test.skipIf(process.platform !== "linux")("a device that has no room", async () => {
  expect((await bash("maturity formats > /dev/full")).result).toEqual({
    code: exitCodes.unwritten,
    stdout: "",
    stderr: "maturity: standard output cannot be written: no space left on device\n",
  });
});

test.skipIf(process.platform === "win32").each(["--json", "--ndjson"])(
  "a reader of --output that has enough is no fault: %s",
  async (form) => {
    const { result } = await bash(`maturity formats ${form} -o >(head -c 1); echo $?`);
    expect(result).toMatchObject({ stdout: expect.stringContaining("0\n"), stderr: "" });
  },
);

test.skipIf(process.platform !== "linux").each(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/fd/3"])(
  "--output %s writes into the file that is open, between what others write",
  async (path) => {
    const { cwd, result } = await bash(
      `{ echo before; maturity completion bash -o ${path} 3>&1; echo after; } > result; echo first > log; maturity completion bash -o ${path} 3>> log >> log`,
    );
    expect(result).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await readFile(join(cwd, "result"), "utf8")).toMatch(/^before\n.+complet.+\nafter\n$/s);
    expect(await readFile(join(cwd, "log"), "utf8")).toMatch(/^first\n.+complet/s);
    expect((await readdir(cwd)).sort()).toEqual(["log", "result"]);
  },
);

describe.skipIf(process.platform === "win32")("a signal", () => {
  /** `maturity` with `--output`, which gets this signal while it waits for a server that never answers. */
  async function interrupted(signal: NodeJS.Signals, argv: readonly string[]) {
    const asked = Promise.withResolvers<void>();
    const { url } = await useServer(() => asked.resolve());
    const cwd = await useTree({ "collect.yaml": queries(url) });
    const parameters = ["--conditions=@maturity/source", main, ...argv, "--url", url, "-o", "result.json"];
    const child = spawn(process.execPath, parameters, { cwd, env: compileCache, stdio: "ignore" });
    await asked.promise;
    child.kill(signal);
    const [code, by] = await once(child, "close");
    return { code, by, files: await readdir(cwd) };
  }
  const queries = (prometheus: string) =>
    JSON.stringify({
      sources: { metrics: { prometheus } },
      target: { area: "shop", team: "checkout", app: "$app", env: "prod" },
      queries: [{ name: "up", source: "metrics", query: "up", metric: "sla", raw: { availability_pct: "$value" } }],
    });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s leaves no part of a file", async (signal) => {
    const ended = await interrupted(signal, ["score", "list", "--json"]);
    expect(ended).toEqual({ code: null, by: signal, files: ["collect.yaml"] });
  });

  test("that a command ends upon by itself leaves the whole file", async () => {
    const ended = await interrupted("SIGTERM", ["collect", "collect.yaml", "--every", "1h", "--ndjson"]);
    expect(ended).toEqual({ code: 0, by: null, files: ["collect.yaml", "result.json"] });
  });
});
