import type { RequestListener } from "node:http";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { freePort } from "../../../services/scoring/test/support/postgres.ts";
import { type AnySubmission, createClient, MaturityClientError, type ScoreRequest } from "../src/index.ts";
import { breakOff, hangUp, hasty, inTurn, json, listen, overloaded, page, refuse, token } from "./support/listener.ts";

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

const ok = json(200, stored);
describe("tries again after", () => {
  test.each<[string, RequestListener, number]>([
    ["a connection that is closed", hangUp, 250],
    ["an answer that breaks off", breakOff, 250],
    ["overload", overloaded, 250],
    ["a proxy that has no service behind it", page(503), 250],
    ["a gateway to which nobody answers", page(502), 250],
    ["a gateway that waited too long", page(504), 250],
    ["too many attempts", refuse(429, "too-many-attempts", "later", {}, { "retry-after": "7" }), 7_250],
  ])("%s", async (_, failure, pause) => {
    const { pauses, createClient } = hasty();
    const client = createClient({ url: await listen(inTurn(failure, ok)) });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([pause]);
  });

  test("nothing listened", async () => {
    const port = await freePort();
    let began: Promise<string> | undefined;
    const onRetry = () => {
      began ??= listen(ok, port);
    };
    const client = createClient({ url: `http://127.0.0.1:${port}`, onRetry });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    await began;
  });

  test("the runtime lost the bound of the attempt", async () => {
    const { pauses, createClient } = hasty();
    let calls = 0;
    const fetch = async () => (++calls === 1 ? new Promise<Response>(() => {}) : Response.json(stored));
    const client = createClient({ url: "http://127.0.0.1:9", fetch, timeoutMs: 500 });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([250]);
  });

  test("no token came in time", async () => {
    const { pauses, createClient } = hasty();
    let asked = 0;
    const token = async () => (++asked === 1 ? new Promise<string>(() => {}) : "t0ken");
    const client = createClient({ url: await listen(ok), token, timeoutMs: 500 });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([250]);
  });

  test("the token came later", async () => {
    const { pauses, createClient } = hasty();
    let asked = 0;
    const token = async () => {
      if (++asked === 1) throw Object.assign(new Error("no token yet"), { retryAfterMs: 2_000 });
      return "t0ken";
    };
    const client = createClient({ url: await listen(ok), token });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([2_250]);
  });

  test("no answer came in time", async () => {
    const { pauses, createClient } = hasty();
    const client = createClient({ url: await listen(inTurn(() => {}, ok)), timeoutMs: 500 });
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
      refuse(409, "from-the-future", "no", { details: [{ path: "x", message: "y" }] }),
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

test("an https address of an http server is named as such", async () => {
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

test("what it calls ends it, with its own reason", async () => {
  const controller = new AbortController();
  const url = await listen(() => controller.abort(new Error("enough")));
  await expect(createClient({ url }).submit(score, { signal: controller.signal })).rejects.toThrow("enough");
});

const circular: { self?: object } = {};
circular.self = circular;

test.each<[string, object, Record<string, string>, RegExp]>([
  ["a value that holds itself", circular, {}, /circular/],
  ["a BigInt", { critical: 1n }, {}, /BigInt/],
  ["a value that throws", { toJSON: () => expect.fail("mine") }, {}, /mine/],
  ["a header of two lines", {}, { "x-team": "a\nb" }, /header/],
])("what cannot be sent is no outage: %s", async (_, raw, headers, message) => {
  let asked = 0;
  const fetch = async () => Response.json({ asked: ++asked });
  const client = createClient<AnySubmission>({ url: "http://127.0.0.1:9", headers, fetch });
  const error = await client.submit({ ...score, raw }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
  expect(error).not.toBeInstanceOf(MaturityClientError);
  expect(asked).toBe(0);
});

test("a name that no address can hold is no outage", async () => {
  const client = createClient({ url: "http://127.0.0.1:9" });
  await expect(client.apps({ app: "\ud800" }).toArray()).rejects.toThrow(URIError);
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

test("a port that fetch never sends to is named at once, and not tried again", async () => {
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

describe("time limits", () => {
  test.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40])("of %d milliseconds are none", async (limit) => {
    const { pauses, createClient } = hasty();
    const url = await listen(inTurn(overloaded, ok));
    const client = createClient({ url, timeoutMs: limit, giveUpAfterMs: limit });
    expect(await client.submit(score)).toMatchObject({ score: 100 });
    expect(pauses).toEqual([250]);
    const csv: RequestListener = (_, response) =>
      response.writeHead(200, { "content-type": "text/csv" }).end("app\r\n");
    const listed = createClient({ url: await listen(csv), timeoutMs: limit, giveUpAfterMs: limit }).apps();
    const pieces: string[] = [];
    for await (const piece of listed.csv()) pieces.push(piece);
    expect(pieces).toEqual(["app\r\n"]);
  });

  test.each([0, -1, Number.NaN])("of %d milliseconds are refused", (limit) => {
    for (const name of ["timeoutMs", "giveUpAfterMs"]) {
      expect(() => createClient({ url: "http://127.0.0.1:9", [name]: limit })).toThrow(
        expect.objectContaining({
          code: "invalid-time-limit",
          message: `${name} must be a number of milliseconds above 0; it is ${limit}`,
        }),
      );
    }
  });
});
