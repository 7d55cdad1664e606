import { expect, test } from "vitest";
import { maturity } from "./support/cli.ts";

test.each([[["apps"]], [["apps", "--json"]], [["apps", "--area", "shop", "--json"]]])(
  "%j names the commands that there are",
  async (argv) => {
    const { code, stdout, stderr } = await maturity(argv);
    expect(code).toBe(2);
    expect(stderr).toContain("Usage: maturity apps");
    if (!argv.includes("--json")) return expect(stdout).toBe("");
    const message = "maturity apps needs one of its commands: list, import, move, merge, retire, restore, aliases";
    expect(JSON.parse(stdout)).toEqual({ error: { code: "wrong-usage", message } });
  },
);
