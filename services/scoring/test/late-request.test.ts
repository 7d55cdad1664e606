import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { useService } from "./support/service.ts";

const report = {
  ...{ area: "shop", team: "checkout", app: "cart", env: "prod" },
  ...{ scorecard: "security", metric: "secret_scan", raw: { found: false } },
};

test("a request that arrives after a stop has ended its connection is neither answered nor stored", async () => {
  const { server, database } = await useService();
  await server.start();
  const { port } = server.listener.address() as AddressInfo;
  const accepted = once(server.listener, "connection");
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  await accepted;
  const stopped = server.stop({ timeout: 60_000 });
  const answer = text(socket);
  await once(socket, "end");
  const body = JSON.stringify(report);
  socket.write(
    `POST /score HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await stopped;
  socket.destroy();
  expect(await answer).toBe("");
  const { rows } = await database.knex.raw("SELECT FROM scores");
  expect(rows).toEqual([]);
});
