import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { blocks } from "../../../services/scoring/test/support/markdown.ts";
import { useService } from "../../../services/scoring/test/support/service.ts";

/** The first is in the README, which links the others. Each needs what those before it have sent. */
const examples = ["report.ts", "reading.ts", "errors.ts"];
const all = await blocks("packages/client/README.md");
const [sources, outputs] = ["ts", "text"].map((wanted) => all.filter(({ language }) => language === wanted));
const textOf = (path: string) => readFile(new URL(`../${path}`, import.meta.url), "utf8");

test("its examples are all there", async () => {
  expect(await readdir(new URL("../examples/", import.meta.url))).toEqual([...examples].sort());
  expect(sources?.map(({ text }) => text)).toEqual([await textOf("examples/report.ts")]);
  const readme = await textOf("README.md");
  expect([...readme.matchAll(/\(examples\/(.*?)\)/g)].map(([, name]) => name)).toEqual(examples.slice(1));
});

test("its examples print what is said, one after the other", async () => {
  const { server } = await useService();
  await server.start();
  const env = { PATH: process.env.PATH, MATURITY_URL: server.info.uri };
  for (const name of examples) {
    const path = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
    const [, comment = ""] = (await textOf(`examples/${name}`)).split(/^\/\/ .*it prints:\n/im);
    const said = name === examples[0] ? outputs?.[0]?.text : comment.replace(/^\/\/ /gm, "");
    const run = await promisify(execFile)(process.execPath, ["--conditions=@maturity/source", path], { env });
    expect(run.stdout).toBe(said);
  }
});
