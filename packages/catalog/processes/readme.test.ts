import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";

const example = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));

test("the example is what the page shows, and prints what it says", async () => {
  const shown = await blocks("packages/catalog/README.md");
  const textOf = (language: string) => shown.find((block) => block.language === language)?.text;
  expect(textOf("yaml")).toBe(await readFile(example("catalog-info.yaml"), "utf8"));
  expect(textOf("ts")).toBe(await readFile(example("read.ts"), "utf8"));
  const options = ["--conditions=@maturity/source", example("read.ts")];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  expect(textOf("text")).toBe(stdout);
});
