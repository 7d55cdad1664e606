import { expect, test } from "vitest";
import { commands } from "../src/commands.ts";
import { maturity } from "./support/cli.ts";

test.each([[], ...Object.keys(commands).map((name) => name.split(" "))].map((words) => [words]))(
  "the help fits 80 columns: %j",
  async (words) => {
    const { code, stdout } = await maturity([...words, "--help"]);
    expect(code).toBe(0);
    expect(proseOf(stdout).filter((line) => line.length > 80)).toEqual([]);
  },
);

/** The lines of a help but for command lines, which are to be copied whole. */
function proseOf(help: string): string[] {
  return help.split("\n").filter((line) => !/^ {2}(?:#|\S+.* \| )?.*\bmaturity /.test(line));
}
