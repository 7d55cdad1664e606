import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { score } from "../test/support/injected.ts";
import { fillStore } from "../test/support/large-store.ts";
import { useNginx } from "../test/support/nginx.ts";
import { open, post } from "../test/support/own-connection.ts";
import { useConnection } from "../test/support/raw-http.ts";
import { rows } from "../test/support/requests.ts";
import { type TestService, until, useService } from "../test/support/service.ts";

const body = JSON.stringify(score);
const smuggled = `POST /score HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

/** Requests to a path that nginx passes on, which two readers may take for one or for two. */
const ambiguous: Readonly<Record<string, string>> = {
  "a length and chunks": `Content-Length: ${smuggled.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  "chunks and a length": `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${chunked(smuggled)}`,
  "two lengths": `Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "a list of lengths": `Content-Length: 0, ${smuggled.length}\r\n\r\n${smuggled}`,
  "a length with a sign": `Content-Length: +${smuggled.length}\r\n\r\n${smuggled}`,
  "a length in hexadecimal": `Content-Length: 0x0\r\n\r\n${smuggled}`,
  "a name with a blank": `Content-Length : ${smuggled.length}\r\n\r\n${smuggled}`,
  "an encoding with a blank before its colon": `Transfer-Encoding : chunked\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "an encoding that is not known": `Transfer-Encoding: xchunked\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "an encoding behind a vertical tab": `Transfer-Encoding:\x0bchunked\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "two encodings": `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`,
  "a list of encodings": `Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  "a folded encoding": `Transfer-Encoding:\r\n chunked\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "a bare line feed in the head": `X-A: 1\nTransfer-Encoding: chunked\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "a bare carriage return in the head": `X-A: 1\rTransfer-Encoding: chunked\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "a chunk with a bare line feed": `Transfer-Encoding: chunked\r\n\r\n2;\n\r\n\r\n0\r\n\r\n${smuggled}`,
  "a chunk of a signed size": `Transfer-Encoding: chunked\r\n\r\n-0\r\n\r\n${smuggled}`,
  "a chunk of a huge size": `Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n${smuggled}`,
  "trailers with a length": `Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: ${smuggled.length}\r\n\r\n`,
  "a length that its connection names": `Connection: Content-Length, keep-alive\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "an upgrade": `Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  "an expectation": `Expect: 100-continue\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
};

describe("behind nginx that keeps connections and refuses writes", () => {
  let service: TestService;
  let address: string;
  beforeEach(async () => {
    service = await useService();
    await service.server.start();
    address = await useNginx(
      `location = /score { return 403; }
       location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass_request_headers on; }`,
      "/livez",
      `upstream service { server ${new URL(service.server.info.uri).host}; keepalive 1; }`,
    );
  });

  test.each(Object.entries(ambiguous))("no write gets past it by %s", async (_, rest) => {
    for (const start of ["GET /livez", "POST /problem/scan-result", "HEAD /livez", "OPTIONS /livez"]) {
      for (const version of ["1.1", "1.0"]) {
        const socket = await useConnection(address);
        let answer = "";
        socket.setEncoding("latin1").on("data", (text) => {
          answer += text;
        });
        const line = `${start} HTTP/${version}\r\nHost: a\r\nContent-Type: application/json\r\n`;
        socket.write(Buffer.from(`${line}${rest}`, "latin1"));
        await until(() => socket.closed || answer.includes("\r\n\r\n"));
        socket.destroy();
        // Whoever comes next on the connection that nginx kept gets his own answer.
        const next = await fetch(`${address}/healthz`);
        expect([next.status, await next.json()]).toEqual([200, { status: "ok" }]);
      }
    }
    expect(await rows(service, "scores")).toEqual([]);
  });
});

test("readers behind nginx that stop in the middle hold up nobody, and get the rest when they go on", async () => {
  const service = await useService();
  await service.server.start();
  await fillStore(service, 600);
  const { uri } = service.server.info;
  const address = await useNginx(`location / { proxy_pass ${uri}; proxy_http_version 1.1; }`, "/livez");
  const paths = ["/metrics?collect[]=scores", "/metrics?collect[]=scores&area=large", "/scores?limit=1000"];
  const whole = await Promise.all(paths.map(async (path) => (await fetch(`${uri}${path}`)).text()));
  // `open` reads nothing of a body until it is asked for.
  const stalled = await Promise.all(
    Array.from({ length: 30 }, (_, index) => open(address, paths[index % 3] as string)),
  );
  for (let write = 0; write < 20; write++) {
    const app = `app-${write}`;
    expect((await post(address, "/score", { ...score, app })).status).toBe(200);
  }
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  for (const gone of stalled.slice(0, 15)) gone.destroy();
  const rest = await Promise.all(stalled.slice(15).map((answer) => text(answer)));
  // The lines of a scrape have no order.
  const lines = (body = "") =>
    body
      .replace(/"as_of":"[^"]+"/, "")
      .split("\n")
      .sort()
      .join("\n");
  for (const [index, body] of rest.entries())
    expect(lines(body) === lines(whole[index % 3]), paths[index % 3]).toBe(true);
});
