import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { blocks, holding } from "../../../services/scoring/test/support/markdown.ts";
import { reportExample } from "../../../services/scoring/test/support/reading-example.ts";
import { useService } from "../../../services/scoring/test/support/service.ts";
import { programEnvironment } from "../test/support/program.ts";

const run = promisify(execFile);

test("the commands of docs/reading.md work when pasted, and print what it shows", async () => {
  const service = await useService();
  await reportExample(service);
  await service.server.start();
  const env = await programEnvironment(service.server.info.uri);
  let output = "";
  let compared = 0;
  for (const { language, info, text } of await blocks("docs/reading.md")) {
    if (language === "sh") {
      const command = text.replaceAll("http://127.0.0.1:8080", service.server.info.uri);
      output = (await run("sh", ["-ec", command], { env })).stdout;
    }
    if (info !== "output") continue;
    compared++;
    if (language === "json") expect(JSON.parse(output)).toEqual(holding(JSON.parse(text)));
    else expect(output.replaceAll("\r\n", "\n")).toBe(text);
  }
  expect(compared).toBeGreaterThan(8);
});
