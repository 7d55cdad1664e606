import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { newScore } from "../../../services/scoring/test/support/new-score.ts";
import { saveScores } from "../../../services/scoring/test/support/save-scores.ts";
import { runReset } from "../../../services/scoring/test/support/service-command.ts";
import { useTree } from "../../../test-support/trees.ts";
import { target } from "./support/cli.ts";
import { listeningService } from "./support/listening-service.ts";
import { programEnvironment } from "./support/program.ts";
import { gitleaks, trivy } from "./support/sample-reports.ts";

const service = listeningService();

test("a list ends quietly when the connection that it writes to is reset", async () => {
  await saveScores(
    service.database.knex,
    Array.from({ length: 20_000 }, (_, index) => newScore({ app: `${index}` })),
  );
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const args = [main, "score", "list", "--ndjson", "--url", service.url];
  expect(await runReset(args, {})).toEqual({ code: 0, stderr: "" });
});

/** Runs a line of bash beside two reports. */
async function bash(line: string, app: string) {
  const cwd = await useTree({ "trivy.json": trivy, "gitleaks.json": gitleaks("main.tf") });
  const env = { ...(await programEnvironment(service.url)), ...target, MATURITY_APP: app };
  const child = spawn("bash", ["--norc", "-c", `set -o pipefail; ${line}`], { cwd, env });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code, stderr };
}

describe.skipIf(process.platform === "win32")("a reader that is gone changes nothing of", () => {
  test.each([
    ["pipe", "| true"],
    ["file", "-o >(true)"],
    ["notes", "--verbose 2> >(exec true)"],
    ["both", "--verbose 2>&1 | true"],
  ])("what is sent: %s", async (app, reader) => {
    expect(await bash(`maturity submit . ${reader}`, app)).toEqual({ code: 0, stderr: "" });
    const stored = (await service.rows("scores")).filter((row) => row.app === app);
    expect(stored.map(({ metric }) => metric).sort()).toEqual(["image_scan", "secret_scan"]);
  });

  test.each(["| true", "| head -1", "-o >(true)", "--json -o >(true)"])("the outcome of a gate: %s", async (reader) => {
    expect(await bash(`maturity gate --min 99 . ${reader}`, "gated")).toEqual({ code: 1, stderr: "" });
  });
});

test.skipIf(process.platform !== "linux")("standard error that has no room changes nothing", async () => {
  expect(await bash("maturity submit --verbose . 2>/dev/full", "full")).toMatchObject({ code: 0 });
  expect(await bash("maturity submit --no-such . 2>/dev/full", "full")).toMatchObject({ code: 2 });
});
