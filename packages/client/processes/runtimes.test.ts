import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { useService } from "../../../services/scoring/test/support/service.ts";
import { chromiumPath, launchChromium } from "../../board/scripts/chromium.ts";

/** Sends, reads, and is refused; gives what came of it. */
const script = `
  import { createClient } from "@maturity/client";
  export async function run(url) {
    const client = createClient({ url, giveUpAfterMs: 5_000 });
    const key = { area: "shop", team: "checkout", app: "caf\\u00e9 \\u{1f600}", env: "prod", scorecard: "security" };
    const stored = await client.submitAll([{ ...key, metric: "secret_scan", raw: { found: false } }]);
    const wrong = await client.submit({ ...key, metric: "sast", raw: {} }).catch((error) => error);
    const nowhere = createClient({ url: "http://127.0.0.1:2", giveUpAfterMs: 200 }).health();
    const down = await nowhere.catch((error) => error);
    const aborted = await client.health({ signal: AbortSignal.abort(new Error("enough")) }).catch((error) => error);
    return {
      stored: stored.map(({ score }) => score),
      read: (await client.scores().toArray()).map(({ app, score }) => [app, score]),
      refused: [wrong.code, wrong.details.map(({ path }) => path)],
      down: down.code,
      aborted: aborted.message,
    };
  }
`;

const expected = {
  stored: [100],
  read: [["caf\u00e9 \u{1f600}", 100]],
  refused: ["invalid-raw", ["raw.critical", "raw.high", "raw.medium"]],
  down: "unreachable",
  aborted: "enough",
};

/** Bundled without anything of Node. */
let bundle: string;
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    platform: "browser",
    conditions: ["@maturity/source"],
    format: "esm",
    target: "es2022",
    write: false,
  });
  bundle = outputFiles[0]?.text ?? "";
});

describe("runs on", () => {
  /** Others than the Node that runs this, from the npm registry, where TEST_RUNTIMES names them: `node@20,deno,bun`. */
  const others = (process.env.TEST_RUNTIMES ?? "").split(",").filter((name) => name !== "");
  const npx = (name: string, ...command: string[]) => ["npx", "--yes", "--package", name, "--", ...command];
  const runtimes: readonly [name: string, command: readonly string[]][] = [
    ["this Node", [process.execPath]],
    ...others.map((name): [string, string[]] => {
      const command = /^[a-z]+/.exec(name)?.[0] ?? name;
      return [name, npx(name, command, ...(command === "deno" ? ["run", "--allow-net"] : []))];
    }),
  ];

  test.each(runtimes)(
    "%s",
    async (_, [command = "", ...flags]) => {
      const { server } = await useService();
      await server.start();
      const directory = await mkdtemp(join(tmpdir(), "maturity-runtime-"));
      onTestFinished(() => rm(directory, { recursive: true }));
      const file = join(directory, "script.mjs");
      const call = `console.log(JSON.stringify(await run(${JSON.stringify(server.info.uri)})));`;
      await writeFile(file, `${bundle}\n${call}\n`);
      const { stdout } = await promisify(execFile)(command, [...flags, file]);
      expect(JSON.parse(stdout)).toEqual(expected);
    },
    240_000,
  );

  test.runIf(existsSync(chromiumPath))("a browser, on the origin of a page whose server passes a path on", async () => {
    const { server } = await useService();
    await server.start();
    const result = Promise.withResolvers<unknown>();
    const call = `const result = await run("/maturity").catch((error) => error.stack);
      await fetch("/result", { method: "POST", body: JSON.stringify(result) });`;
    const page = createServer(async (request, response) => {
      const { url = "", method, headers } = request;
      if (url.startsWith("/maturity/")) {
        const address = `${server.info.uri}${url.slice("/maturity".length)}`;
        const passed = forward(address, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        request.pipe(passed);
      } else if (url === "/result") {
        result.resolve(JSON.parse(await text(request)));
        response.end();
      } else if (url === "/script.js") {
        response.writeHead(200, { "content-type": "text/javascript" }).end(`${bundle}\n${call}`);
      } else {
        response
          .writeHead(200, { "content-type": "text/html" })
          .end('<script type="module" src="/script.js"></script>');
      }
    }).listen(0, "127.0.0.1");
    await once(page, "listening");
    const browser = await launchChromium();
    onTestFinished(async () => {
      await browser.close();
      page.closeAllConnections();
      page.close();
    });
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(page.address() as AddressInfo).port}/`);
    expect(await result.promise).toEqual(expected);
  });
});
