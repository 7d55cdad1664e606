import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { useService } from "../../../services/scoring/test/support/service.ts";

/** In the order of the README. */
const examples = ["report.ts", "reading.ts", "errors.ts"];
const all = await blocks("packages/client/README.md");
const [sources, outputs] = ["ts", "text"].map((wanted) => all.filter(({ language }) => language === wanted));

test("its examples are all there", async () => {
  expect(await readdir(new URL("../examples/", import.meta.url))).toEqual([...examples].sort());
  expect([sources?.length, outputs?.length]).toEqual([examples.length, examples.length]);
});

test("its examples print what it shows, one after the other", async () => {
  const { server } = await useService();
  await server.start();
  const env = { PATH: process.env.PATH, MATURITY_URL: server.info.uri };
  for (const [index, name] of examples.entries()) {
    const path = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
    expect(sources?.[index]?.text).toBe(await readFile(path, "utf8"));
    const run = await promisify(execFile)(process.execPath, ["--conditions=@maturity/source", path], { env });
    expect(run.stdout).toBe(outputs?.[index]?.text);
  }
});
