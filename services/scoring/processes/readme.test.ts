import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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

  const bin = await mkdtemp(join(tmpdir(), "maturity-readme-"));
  try {
    const main = join(repository, "packages/cli/src/main.ts");
    const program = `#!/bin/sh\nexec "${process.execPath}" --conditions=@maturity/source "${main}" "$@"\n`;
    await writeFile(join(bin, "maturity"), program, { mode: 0o755 });
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      ...{ MATURITY_URL: server.info.uri, MATURITY_AREA: "shop", MATURITY_TEAM: "checkout" },
      ...{ MATURITY_APP: "cart", MATURITY_ENV: "prod" },
    };
    const cwd = join(repository, "packages/reports/examples");
    for (const [, command = "", shown = ""] of steps) {
      const script = `${command.replaceAll("http://127.0.0.1:8080", server.info.uri)}\n`;
      const { stdout } = await run("sh", ["-c", `{ ${script} } 2>&1 || true`], { cwd, env });
      expect(stdout.replaceAll(server.info.uri, "http://127.0.0.1:8080").trimEnd(), command).toBe(shown.trimEnd());
    }
  } finally {
    await rm(bin, { recursive: true, force: true });
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
