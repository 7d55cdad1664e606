import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { blocks, repository } from "../test/support/markdown.ts";
import { useService } from "../test/support/service.ts";

const run = promisify(execFile);

test("the terminal session of README.md shows what its commands print", async () => {
  const { server } = await useService();
  await server.start();
  const [session] = (await blocks("README.md")).filter(({ language }) => language === "console");
  const steps = [...(session?.text ?? "").matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)];
  expect(steps.length).toBeGreaterThan(1);

  const [clone] = (await blocks("README.md")).filter(({ info }) => info === "clone");
  const folder = await mkdtemp(join(tmpdir(), "maturity-readme-"));
  try {
    // The clone, without what the lines write into it, and with the Node of the tests.
    for (const name of ["packages", "node_modules"]) await symlink(join(repository, name), join(folder, name));
    const setUp = clone?.text.replace("npx -y -p node@24 node", `"${process.execPath}"`) ?? "";
    const here = (text: string) => text.replaceAll("http://127.0.0.1:8080", server.info.uri);
    for (const [, command = "", shown = ""] of steps) {
      const script = here(`${setUp}{ ${command}\n} 2>&1 || true`);
      const { stdout } = await run("sh", ["-c", script], { cwd: folder, env: { PATH: process.env.PATH } });
      expect(stdout.replaceAll(server.info.uri, "http://127.0.0.1:8080").trimEnd(), command).toBe(shown.trimEnd());
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("the commands of README.md work when pasted, and print what it shows", async () => {
  const { server } = await useService();
  await server.start();
  let output = "";
  for (const { language, info, text } of await blocks("README.md")) {
    if (language === "sh" && text.includes("curl")) {
      const command = text.replaceAll("http://127.0.0.1:8080", server.info.uri);
      output = (await run("sh", ["-ec", command])).stdout;
    }
    if (info === "output") expect(JSON.parse(output)).toMatchObject(JSON.parse(text));
  }
  expect(output).toContain('maturity_problem_count{area="shop",team="checkout",app="cart",env="prod"');
});
