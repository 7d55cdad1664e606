import { describe, expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { maturity, target } from "./support/cli.ts";
import { gitleaks } from "./support/sample-reports.ts";

const unprintable = "must not hold U+001B, which is not printable, as character 2";
const tooLong = "must be a text of 1 to 200 characters, without a space at either end";

const lost = "must not hold U+FFFD, which stands for bytes that are not UTF-8,";

/** With an address or without, nothing is sent. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const cwd = await useTree({ "d/gitleaks.json": gitleaks("a.tf") });
  const fetch = () => Promise.reject(new Error("the network was used"));
  return maturity(argv, { cwd, fetch, env: { MATURITY_URL: "http://127.0.0.1:8080", ...target, ...env } });
}

describe.each([[["--dry-run"]], [[]]])("what the service would refuse is refused before: %j", (mode) => {
  const problem = ["problem", "report", ...mode, "-s", "high", "d/gitleaks.json"];
  const submit = ["submit", ...mode, "-m", "sla", "--raw", "availability_pct=1"];

  test.each<[string, string[], Record<string, string>, string]>([
    ["a problem type with ESC", [...problem, "-t", "a\u001bb"], {}, `--type ${unprintable}`],
    ["a problem type of 3,000 letters", [...problem, "-t", "a".repeat(3_000)], {}, `--type ${tooLong}`],
    [
      "a problem type of a directory",
      ["submit", ...mode, "--problems", "gitleaks.json=a\u001b,high", "d"],
      {},
      `the type of --problems ${unprintable}`,
    ],
    ["an application", submit, { MATURITY_APP: "a\u001b" }, `app (MATURITY_APP) ${unprintable}`],
    ["bytes that are not UTF-8", submit, { MATURITY_APP: "a\ufffdb" }, `app (MATURITY_APP) ${lost} as character 2`],
    ["the same of a flag", [...problem, "-t", "x", "--team", "\ufffd"], {}, `team (--team) ${lost} as character 1`],
    ["an area", [...submit, "--area", "a".repeat(201)], {}, `area (--area) ${tooLong}`],
    [
      "a channel",
      [...problem, "-t", "x", "--chat-channel", "a\u001b"],
      {},
      `chat_channel (--chat-channel) ${unprintable}`,
    ],
    ["the id of a run", [...submit, "--pipeline-id", "a\u001b"], {}, `--pipeline-id ${unprintable}`],
    ["a repository", [...submit, "--project-repo", " a"], {}, "--project-repo must be a text of 1 to 2048 characters"],
  ])("%s", async (_, argv, env, message) => {
    const { code, stdout, stderr } = await run(argv, env);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(`maturity: ${message}`),
    });
  });
});

test("doctor shows them", async () => {
  const { stdout } = await run(["doctor", "--timeout", "1"], { MATURITY_APP: "a\u001b" });
  expect(stdout).toContain(`warning  target     app (MATURITY_APP) ${unprintable}\n`);
});
