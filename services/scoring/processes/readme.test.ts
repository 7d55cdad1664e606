import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { blocks } from "../test/support/markdown.ts";
import { useService } from "../test/support/service.ts";

const run = promisify(execFile);

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
