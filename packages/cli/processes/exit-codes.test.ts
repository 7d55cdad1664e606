import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileCache } from "../../../services/scoring/test/support/compile-cache.ts";
import { freePort } from "../../../services/scoring/test/support/postgres.ts";
import { target } from "../test/support/cli.ts";
import { listeningService } from "../test/support/listening-service.ts";
import { gitleaks, trivy } from "../test/support/sample-reports.ts";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));

const service = listeningService();
let nowhere: string;
let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "maturity-cli-"));
  await writeFile(join(cwd, "trivy.json"), trivy);
  await mkdir(join(cwd, "empty"));
  for (const [name, code] of Object.entries(faults)) await writeFile(join(cwd, `${name}.mjs`), code);
  nowhere = `http://127.0.0.1:${await freePort()}`;
});
afterAll(() => rm(cwd, { recursive: true }));

/** What scorecards do, by the names of their modules. */
const faults = {
  throws: 'setTimeout(() => { throw new TypeError("boom"); }); await new Promise(() => {});',
  rejects: 'Promise.reject(new TypeError("boom")); await new Promise(() => {});',
  exits: "process.exit(1);",
  waits: "await new Promise(() => {});",
};

/** The program in a process of its own. */
async function start(argv: readonly string[], stdin = "") {
  const child = spawn(process.execPath, ["--conditions=@maturity/source", main, ...argv], {
    cwd,
    env: { ...compileCache, PATH: process.env.PATH, MATURITY_URL: service.url, ...target },
  });
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

const away = () => ["--url", nowhere, "--timeout", "1"];

const cases: Readonly<Record<string, readonly [code: number, argv: () => string[], stdin?: string]>> = {
  "a score that is sent": [0, () => ["submit", "trivy.json"]],
  "a score of standard input": [0, () => ["submit", "-"], trivy],
  "a problem that is sent": [0, () => ["problem", "report", "-t", "secret", "-s", "high", "-"], gitleaks("main.tf")],
  "a gate that is met": [0, () => ["gate", "--min", "37", "trivy.json"]],
  "a dry run with nobody at the address": [0, () => ["submit", "--dry-run", "trivy.json", ...away()]],
  "the version": [0, () => ["--version"]],
  "the help": [0, () => ["--help"]],
  "the help of nothing": [0, () => []],
  "the help of a command": [0, () => ["gate", "--help"]],
  "the same asked otherwise": [0, () => ["help", "gate"]],
  "a doctor who finds nothing": [0, () => ["doctor"]],
  "a gate that is no worse than nothing": [0, () => ["gate", "--no-worse", "--app", "new", "trivy.json"]],
  "a gate with a summary that cannot be written": [0, () => ["gate", "--min", "1", "--summary", ".", "trivy.json"]],
  "an application that is too low": [1, () => ["gate", "--app-min", "99", "trivy.json"]],
  "a gate that nobody answers": [4, () => ["gate", "--no-worse", "trivy.json", ...away()]],
  "a gate without a condition": [2, () => ["gate", "trivy.json"]],
  "a gate that is not met": [1, () => ["gate", "--min", "38", "trivy.json"]],
  "a command that does not exist": [2, () => ["submti"]],
  "a command that is called otherwise": [2, () => ["setup"]],
  "a command by a name that every object has": [2, () => ["constructor"]],
  "a flag that does not exist": [2, () => ["submit", "--metrik", "sast"]],
  "a flag without its value": [2, () => ["submit", "--metric"]],
  "a report that is not there": [2, () => ["submit", "gone.json"]],
  "a report that is unreadable": [2, () => ["submit", "-"], "{"],
  "an address that is none": [2, () => ["submit", "trivy.json", "--url", "maturity"]],
  "a value that cannot be scored": [2, () => ["submit", "-m", "mttr", "--raw", "minutes=-1"]],
  "a scorecard that the service does not have": [3, () => ["submit", "-m", "cost.budget", "--raw", "spent=1"]],
  "a directory without a report": [5, () => ["submit", "empty"]],
  "the same, only looked at": [5, () => ["detect", "empty"]],
  "a directory with a report": [0, () => ["detect", "."]],
  "nobody at the address": [4, () => ["submit", "trivy.json", ...away()]],
  "a doctor who reaches nobody": [4, () => ["doctor", ...away()]],
};

test.concurrent.each(Object.entries(cases))("%s", async (_, [code, argv, stdin]) => {
  const result = await start(argv(), stdin);
  expect(result.code, result.stderr).toBe(code);
  const isHelp = code === 0 || code === 1 || argv()[0] === "doctor";
  expect(isHelp ? result.stdout : result.stderr).not.toBe("");
  if (!isHelp) expect(result.stdout).toBe("");
});

describe("--soft-fail passes a closed gate and an unreachable service, and nothing else", () => {
  const failing = Object.entries(cases).filter(([, [code]]) => code > 0);

  test.concurrent.each(failing)("%s", async (_, [code, argv, stdin]) => {
    const result = await start([...argv(), "--soft-fail"], stdin);
    const isSoft = code === 1 || code === 4;
    expect(result.code).toBe(isSoft ? 0 : code);
    expect(result.stderr.includes(`warning: going on in spite of exit code ${code} (--soft-fail)\n`)).toBe(isSoft);
  });
});

test.each([
  ["throws", "TypeError: boom"],
  ["rejects", "TypeError: boom"],
  ["exits", "the process ended with 1 before the command"],
  ["waits", "the process ended with 13 before the command"],
])("a scorecard that %s ends with the code of a fault", async (name, said) => {
  const argv = ["submit", "-n", "-m", "x.y", "-r", "x=1", "--scorecards", `./${name}.mjs`, "-o", "result.json"];
  const { code, stderr } = await start(argv);
  const line = `maturity: a fault of this program or of a scorecard: ${said}\n`;
  expect({ code, stderr }).toEqual({ code: 70, stderr: expect.stringContaining(line) });
  expect((await readdir(cwd)).filter((name) => name.startsWith("result"))).toEqual([]);
});

test("a reader that has enough is no fault", async () => {
  const command = `"${process.execPath}" --conditions=@maturity/source "${main}" submit --help | head -1; echo \${PIPESTATUS[0]}`;
  const child = spawn("bash", ["-c", command]);
  expect(await text(child.stdout)).toBe("Usage: maturity submit [options] [paths...]\n0\n");
});
