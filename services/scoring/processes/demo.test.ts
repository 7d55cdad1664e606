import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { get } from "../test/support/own-connection.ts";
import { startCommand } from "../test/support/service-command.ts";

test("demo --serve runs the service on the made-up organisation, and never comes near the store of the settings", async () => {
  let connections = 0;
  const store = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(store, "listening");
  onTestFinished(() => void store.close());
  const { port } = store.address() as { port: number };
  const DATABASE_URL = `postgres://u:p@127.0.0.1:${port}/m`;
  const child = startCommand(["demo", "--serve"], { DATABASE_URL, PORT: "0", AUTH: "token" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.on("exit", () => reject(new Error(said)));
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      said += text;
      const [, found] = /Maturity listens on (http:\/\/[\d.:]+)\.\s/.exec(said) ?? [];
      if (found) resolve(found);
    });
  });
  child.stdout?.resume();
  const { total } = JSON.parse(await get(address, "/apps?env=prod"));
  expect({ total, connections }).toEqual({ total: 60, connections: 0 });
  const ended = once(child, "exit");
  child.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
});
