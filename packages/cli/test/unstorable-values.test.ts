import { expect, test } from "vitest";
import { listeningService } from "./support/listening-service.ts";

const service = listeningService();

const good = { critical: 0, high: 0, medium: 0 };
const by = (path: string, says: string) => `maturity: ${path} ${says}\n`;
const keys = "must not have keys with NUL characters, lone surrogates or backslashes";

test.each<[name: string, raw: string, said: string]>([
  ["NUL", String.raw`x="\u0000"`, by("raw.x", "must not hold NUL characters or lone surrogates")],
  ["a lone surrogate", String.raw`x="\ud800"`, by("raw.x", "must not hold NUL characters or lone surrogates")],
  ["a key with a backslash", String.raw`a\b=1`, by("raw", keys)],
  ["the key __proto__", "__proto__=1", by("raw", "must not have the key __proto__")],
  ["the key __proto__ further down", 'x={"__proto__":1}', by("raw.x", "must not have the key __proto__")],
  [
    "33 lists in each other",
    `x=${"[".repeat(33)}${"]".repeat(33)}`,
    by(`raw.x${"[0]".repeat(31)}`, "nests deeper than 32 levels"),
  ],
  [
    "too many values",
    `x=[${"0,".repeat(2_100)}0]`,
    by("raw", "holds more than 2,000 values in all, keys and items at every depth; send less"),
  ],
  ["a number that no double holds", "x=1e400", by("raw.x", "is too large a number")],
  ["this number of a metric", "critical=1e400", by("raw.critical", "is too large a number")],
])("a value that the service does not store is refused before anything is sent: %s", async (_, raw, stderr) => {
  const others = Object.entries(good).filter(([name]) => !raw.startsWith(`${name}=`));
  const values = others.flatMap(([name, value]) => ["--raw", `${name}=${value}`]);
  const argv = ["--metric", "image_scan", ...values, "--raw", raw];
  for (const command of [
    ["submit", "--dry-run"],
    ["gate", "--min", "0"],
    ["submit"],
    ["submit", "--gate", "--min", "0"],
  ]) {
    expect(await service.maturity([...command, ...argv]), command.join(" ")).toEqual({ code: 2, stdout: "", stderr });
  }
  expect(await service.rows("scores")).toEqual([]);
});
