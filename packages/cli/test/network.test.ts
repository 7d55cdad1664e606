import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { createFetch } from "../src/network.ts";
import { target } from "./support/cli.ts";
import { useServer } from "./support/collecting.ts";
import { useShell } from "./support/shell.ts";

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

// Node 20 knows no proxy.
test.runIf(Number.parseInt(process.versions.node, 10) >= 24).each(["http", "https"])(
  "a proxy that closes the connection at CONNECT is tried few times, and told: %s",
  async (protocol) => {
    let connections = 0;
    const proxy = createServer((socket) => {
      connections++;
      socket.on("error", () => {}).once("data", () => socket.destroy());
    });
    const address = `http://127.0.0.1:${await listen(proxy)}`;
    const shell = await useShell();
    const env = {
      ...target,
      MATURITY_URL: `${protocol}://maturity.example.com`,
      HTTP_PROXY: address,
      HTTPS_PROXY: address,
      NODE_USE_ENV_PROXY: "1",
    };
    const { code, stderr } = await shell.run("maturity submit -m health_check --raw enabled=true --timeout 3", env);
    const lines = stderr.trimEnd().split("\n");
    expect({ code, last: lines.at(-1) }).toEqual({
      code: 4,
      last: expect.stringMatching(/^maturity: cannot reach .*: the proxy closes the connection at CONNECT/),
    });
    expect(connections).toBeLessThanOrEqual(lines.length * 3); // a line for each attempt
  },
);

/** Runs the garbage collector until something is true. */
async function collecting(isDone: () => boolean): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  while (!isDone()) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test.each([
  ["before the answer", false],
  ["within the answer", true],
])("the signal of a request ends it, also when the garbage collector was there: %s", async (_, begins) => {
  const { url, requests } = await useServer((_, response) => {
    if (begins) response.write("x");
  });
  const stop = new AbortController();
  let error: unknown;
  const run = async () => {
    const response = await createFetch()(new Request(url, { signal: stop.signal }));
    await response.text();
  };
  const ended = run().catch((reason) => {
    error = reason;
  });
  let rounds = 0;
  await collecting(() => requests.length > 0 && ++rounds > 20);
  stop.abort(new Error("enough"));
  await ended;
  expect(error).toEqual(new Error("enough"));
});
