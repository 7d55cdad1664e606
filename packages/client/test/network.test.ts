import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../services/scoring/test/support/postgres.ts";
import { createCaller } from "../src/caller.ts";
import { clientOf } from "../src/client.ts";
import { type Client, type ClientOptions, createClient, type ScoreRequest } from "../src/index.ts";
import { systemClock } from "../src/retry.ts";

const score: ScoreRequest = {
  area: "shop",
  team: "checkout",
  app: "cart",
  env: "prod",
  scorecard: "security",
  metric: "secret_scan",
  raw: { found: false },
};
const stored = { ...score, score: 100, reasons: [], scorer: "x@1", reported_at: "2026-01-01T00:00:00.000Z" };
const token = "maturity_hunter2";

/** Whatever listens instead of the service, or before it. */
async function listen(listener: RequestListener, port = 0): Promise<string> {
  const server: Server = createServer(listener).listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers these in turn, the last one for ever. */
function inTurn(...listeners: RequestListener[]): RequestListener {
  let index = 0;
  return (request, response) => listeners[Math.min(index++, listeners.length - 1)]?.(request, response);
}

const json =
  (status: number, body: unknown, headers = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
const ok = json(200, stored);
const hangUp: RequestListener = (request) => request.socket.destroy();
const breakOff: RequestListener = (_, response) => {
  response.writeHead(200, { "content-length": "1000" }).write('{"score":');
  setImmediate(() => response.destroy());
};
const overloaded = json(503, { statusCode: 503, code: "overloaded", message: "too many requests" });

/** Pauses that are told and not waited for. */
function hasty(): { readonly pauses: number[]; createClient(options: ClientOptions): Client } {
  const pauses: number[] = [];
  let paused = 0;
  const clock = {
    random: () => 0,
    now: () => paused,
    async sleep(milliseconds: number) {
      pauses.push(milliseconds);
      paused += milliseconds;
    },
  };
  return { pauses, createClient: (options) => clientOf(createCaller({ token, ...options }, clock)) };
}

describe("tries again after", () => {
  test.each<[string, RequestListener, number]>([
    ["a connection that is closed", hangUp, 250],
    ["an answer that breaks off", breakOff, 250],
    ["overload", overloaded, 250],
    ["a proxy that has no service behind it", (_, response) => response.writeHead(503).end("<h1>503</h1>"), 250],
    ["too many attempts", json(429, { code: "too-many-attempts", message: "later" }, { "retry-after": "7" }), 7_000],
  ])("%s", async (_, failure, pause) => {
    const { pauses, createClient } = hasty();
    const client = createClient({ url: await listen(inTurn(failure, ok)) });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([pause]);
  });

  test("nothing listened", async () => {
    const port = await freePort();
    const clock = { ...systemClock, sleep: async () => void (await listen(ok, port)) };
    const client = clientOf(createCaller({ url: `http://127.0.0.1:${port}` }, clock));
    expect(await client.submit(score)).toMatchObject({ score: 100 });
  });

  test("the runtime lost the bound of the attempt", async () => {
    const { pauses, createClient } = hasty();
    let calls = 0;
    const fetch = async () => (++calls === 1 ? new Promise<Response>(() => {}) : Response.json(stored));
    const client = createClient({ url: "http://127.0.0.1:9", fetch, timeoutMs: 50 });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([250]);
  });

  test("no token came in time", async () => {
    const { pauses, createClient } = hasty();
    let asked = 0;
    const token = async () => (++asked === 1 ? new Promise<string>(() => {}) : "t0ken");
    const client = createClient({ url: await listen(ok), token, timeoutMs: 50 });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([250]);
  });

  test("no answer came in time", async () => {
    const { pauses, createClient } = hasty();
    const client = createClient({ url: await listen(inTurn(() => {}, ok)), timeoutMs: 50 });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([250]);
  });
});

describe("fails at once on", () => {
  test.each<[string, RequestListener, object]>([
    [
      "a page instead of an answer",
      (_, response) => response.end("<html>"),
      { code: "unexpected-answer", status: 200 },
    ],
    ["an answer of something else", json(200, { status: "ok" }), { code: "unexpected-answer", status: 200 }],
    ["an empty answer", (_, response) => response.end(), { code: "unexpected-answer", status: 200 }],
    ["a gateway", (_, response) => response.writeHead(502).end("bad"), { code: "unexpected-answer", status: 502 }],
    [
      "a redirect, which it does not follow",
      (_, response) => response.writeHead(301, { location: "https://elsewhere.example/score" }).end(),
      { code: "unexpected-answer", message: expect.stringContaining("redirects to https://elsewhere.example/score") },
    ],
    [
      "an answer without end",
      (_, response) => {
        const chunk = Buffer.alloc(1_048_576, " ");
        const more = () => response.write(chunk, more);
        more();
      },
      { code: "unexpected-answer", message: expect.stringMatching(/is not the service: .* longer than 16 MiB$/) },
    ],
    [
      "a code it does not know yet",
      json(409, { code: "from-the-future", message: "no", details: [{ path: "x", message: "y" }] }),
      { code: "from-the-future", status: 409, message: "no", details: [{ path: "x", message: "y" }] },
    ],
  ])("%s", async (_, listener, expected) => {
    const { pauses, createClient } = hasty();
    const client = createClient({ url: await listen(listener) });
    await expect(client.submit(score)).rejects.toMatchObject({ name: "MaturityClientError", attempts: 1, ...expected });
    expect(pauses).toEqual([]);
  });
});

test("gives up within its bound, and says why, how often and where", async () => {
  const { pauses, createClient } = hasty();
  const url = `http://127.0.0.1:${await freePort()}`;
  const error = await createClient({ url, giveUpAfterMs: 10_000 })
    .submit(score)
    .catch((error) => error);
  expect(error).toMatchObject({ code: "unreachable", attempts: 6, status: undefined });
  expect(error.message).toBe(`cannot reach ${url}: connect ECONNREFUSED ${url.slice(7)} (6 attempts)`);
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000]);
  expect(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain(token);
});

test("an https address of an http server is told as such", async () => {
  const { pauses, createClient } = hasty();
  const url = await listen(ok);
  const error = await createClient({ url: url.replace("http", "https") })
    .submit(score)
    .catch((error) => error);
  expect(error).toMatchObject({ code: "unreachable", attempts: 1, message: expect.stringContaining(`may be ${url}`) });
  expect(pauses).toEqual([]);
});

test("of a list, the error counts its attempts once", async () => {
  const { createClient } = hasty();
  const url = `http://127.0.0.1:${await freePort()}`;
  const error = await createClient({ url, giveUpAfterMs: 1_000 })
    .submitAll([score])
    .catch((error) => error);
  expect(error.message).toMatch(/ECONNREFUSED [\d.:]+ \(3 attempts\)$/);
});

describe("a list", () => {
  const page = (next: string | null, ...items: object[]) =>
    json(200, { as_of: "2026-01-01T00:00:00.000Z", items, next, total: 2 });

  test("tries each page again by itself", async () => {
    const url = await listen(inTurn(overloaded, page("more", { app: "a" }), breakOff, page(null, { app: "b" })));
    const { pauses, createClient } = hasty();
    expect(await createClient({ url }).apps().toArray()).toEqual([{ app: "a" }, { app: "b" }]);
    expect(pauses).toEqual([250, 250]);
  });

  test("of a service that does not have it is told to be of a later one", async () => {
    const nothing = { statusCode: 404, code: "not-found", message: "there is nothing at /apps" };
    const { createClient } = hasty();
    const client = createClient({ url: await listen(json(404, nothing)) });
    const older = { code: "not-found", status: 404, message: expect.stringContaining("older than this client") };
    await expect(client.apps().page()).rejects.toMatchObject(older);
    await expect(client.apps().csv()[Symbol.asyncIterator]().next()).rejects.toMatchObject(older);
    await expect(client.whoAmI()).rejects.toMatchObject(older);
  });

  test("is none without items", async () => {
    const { createClient } = hasty();
    const client = createClient({ url: await listen(json(200, { status: "ok" })) });
    await expect(client.apps().toArray()).rejects.toMatchObject({ code: "unexpected-answer" });
  });
});

describe("a stream of CSV", () => {
  const csv = { "content-type": "text/csv; charset=utf-8" };
  const read = async (client: Client, signal?: AbortSignal) => {
    const pieces: string[] = [];
    for await (const piece of client.apps({}, signal && { signal }).csv()) pieces.push(piece);
    return pieces.join("");
  };

  test("is tried again until it begins, and may be long", async () => {
    const long = "x".repeat(1_048_576);
    const lines: RequestListener = (_, response) => {
      response.writeHead(200, csv);
      for (let piece = 0; piece < 17; piece++) response.write(long);
      response.end();
    };
    const { pauses, createClient } = hasty();
    const text = await read(createClient({ url: await listen(inTurn(overloaded, hangUp, lines)) }));
    expect(text).toHaveLength(17 * long.length);
    expect(pauses).toHaveLength(2);
  });

  test("is whole where a character is cut in two on its way", async () => {
    const [first, second] = [Buffer.from("caf\u00e9").subarray(0, 4), Buffer.from("caf\u00e9").subarray(4)];
    const halves: RequestListener = (_, response) => {
      response.writeHead(200, csv).write(first, () => setImmediate(() => response.end(second)));
    };
    expect(await read(hasty().createClient({ url: await listen(halves) }))).toBe("caf\u00e9");
  });

  test.each<[string, RequestListener]>([
    [
      "breaks off",
      (_, response) => {
        response.writeHead(200, csv).write("app\r\n");
        setImmediate(() => response.destroy());
      },
    ],
    ["falls silent", (_, response) => void response.writeHead(200, csv).write("app\r\n")],
  ])("that %s is an error, and is not tried again", async (_, listener) => {
    const url = await listen(listener);
    const { pauses, createClient } = hasty();
    await expect(read(createClient({ url, timeoutMs: 200 }))).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringMatching(`^the answer broke off: cannot reach ${url}: `),
    });
    expect(pauses).toEqual([]);
  });

  test("is none of a login page", async () => {
    const page: RequestListener = (_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>");
    const client = hasty().createClient({ url: await listen(page) });
    await expect(read(client)).rejects.toMatchObject({ code: "unexpected-answer" });
  });

  test("ends by the caller's signal, with its reason", async () => {
    const controller = new AbortController();
    const url = await listen((_, response) => {
      response.writeHead(200, csv).write("app\r\n", () => setImmediate(() => controller.abort(new Error("enough"))));
    });
    await expect(read(hasty().createClient({ url }), controller.signal)).rejects.toThrow("enough");
  });

  test("that its reader leaves is closed", async () => {
    const closed = Promise.withResolvers<void>();
    const url = await listen((_, response) => {
      response.writeHead(200, csv).write("app\r\n");
      response.once("close", () => closed.resolve());
    });
    for await (const piece of hasty().createClient({ url }).apps().csv()) {
      expect(piece).toBe("app\r\n");
      break;
    }
    await closed.promise;
  });
});

test("what it calls ends it, with its own reason", async () => {
  const controller = new AbortController();
  const url = await listen(() => controller.abort(new Error("enough")));
  await expect(createClient({ url }).submit(score, { signal: controller.signal })).rejects.toThrow("enough");
});

test("every request carries the token and the headers; a fresh token is asked for each attempt", async () => {
  const seen: unknown[] = [];
  const url = await listen((request, response) => {
    seen.push([request.url, request.headers.authorization, request.headers["x-team"]]);
    (seen.length === 1 ? overloaded : ok)(request, response);
  });
  let asked = 0;
  const options = { token: () => `token-${++asked}`, headers: { "x-team": "checkout" } };
  await hasty()
    .createClient({ url: `${url}/behind/a/path/`, ...options })
    .submit(score);
  expect(seen).toEqual([
    ["/behind/a/path/score", "Bearer token-1", "checkout"],
    ["/behind/a/path/score", "Bearer token-2", "checkout"],
  ]);
});

test("a port that fetch never sends to is told at once, and not tried again", async () => {
  const { pauses, createClient } = hasty();
  await expect(createClient({ url: "http://127.0.0.1:1" }).submit(score)).rejects.toMatchObject({
    code: "invalid-url",
    message: "http://127.0.0.1:1 has a port to which fetch sends nothing; let the service listen on another one",
  });
  expect(pauses).toEqual([]);
});

test.each([
  ["maturity.example.com"],
  ["ftp://maturity.example.com"],
  ["https://user:hunter2@maturity.example.com"],
  ["https://maturity.example.com/?token=hunter2"],
  [""],
])("the url %s is refused, and not repeated", (url) => {
  expect(() => createClient({ url })).toThrow(
    expect.objectContaining({ code: "invalid-url", message: expect.not.stringContaining("hunter2") }),
  );
});
