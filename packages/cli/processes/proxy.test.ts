import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { target } from "../test/support/cli.ts";
import { useShell } from "../test/support/shell.ts";

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

// Node 20 knows no proxy.
test.runIf(Number.parseInt(process.versions.node, 10) >= 24).each(["http", "https"])(
  "a proxy that closes the connection at CONNECT is tried few times, and named: %s",
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
    const { code, stderr } = await shell.run("maturity submit -m health_check --raw enabled=true --timeout 5", env);
    const lines = stderr.trimEnd().split("\n");
    expect({ code, last: lines.at(-1) }).toEqual({
      code: 4,
      last: expect.stringMatching(/^maturity: cannot reach .*: the proxy closes the connection at CONNECT/),
    });
    expect(connections).toBeLessThanOrEqual(lines.length * 3); // a line for each attempt
  },
);
