import { describe, expect, test } from "vitest";
import { mebibyte } from "./support/bad-bodies.ts";
import { type List, lists, score } from "./support/injected.ts";
import { problem } from "./support/problem-report.ts";
import { sendBytes } from "./support/raw-http.ts";
import { post, rows } from "./support/requests.ts";
import { useService } from "./support/service.ts";

describe("header injection", () => {
  test.each([
    "/x%0d%0aX-Forged:%201",
    "/metrics?area=a%0d%0aX-Forged:%201",
    "/score?x=%0aX-Forged:1",
    "/changes?since=a%0d%0aX-Forged:%201",
    "/history?area=a&env=b&cursor=%0d%0aX-Forged:%201",
    "/whoami?x=%0d%0aX-Forged:%201",
    "//evil.example/%0d%0a",
  ])("%s adds no header to the answer", async (url) => {
    const service = await useService();
    await service.server.start();
    const answer = await sendBytes(service, `GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const [head = ""] = answer.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 40[045] /);
    expect(head.toLowerCase()).not.toMatch(/x-forged|evil\.example/);
  });

  test.each([
    ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"],
    [
      "a length and chunks",
      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\n\r\n",
    ],
    ["a folded header", "X-A: 1\r\n folded: 2\r\n\r\n"],
    ["a bare line feed", "X-A: 1\nX-B: 2\r\nTransfer-Encoding : chunked\r\n\r\n"],
  ])("a request with %s is refused, and nothing behind it is answered", async (_, rest) => {
    const service = await useService();
    await service.server.start();
    const answer = await sendBytes(service, `POST /score HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

test("prototype pollution: no body and no query changes what objects inherit", async () => {
  const service = await useService();
  const bodies = [
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    JSON.stringify(score).replace('"raw":{', '"raw":{"__proto__":{"polluted":1},'),
    `{"scores":[{"__proto__":{"polluted":1}}]}`,
    JSON.stringify({ ...problem, details: [] }).replace('"details":[', '"details":[{"__proto__":{"polluted":1}}'),
  ];
  for (const url of ["/score", "/scores", "/problem/scan-result"]) {
    for (const body of bodies) expect((await post(service, url, body)).status).toBe(400);
  }
  for (const search of [
    "__proto__[polluted]=1",
    "__proto__=1",
    "constructor[prototype][polluted]=1",
    "area[__proto__]=1",
  ]) {
    const others: readonly Pick<List, "path" | "needed">[] = ["/metrics", "/scorecards", "/whoami"].map((path) => ({
      path,
    }));
    for (const { path, needed } of [...others, ...lists]) {
      const own = new URLSearchParams(needed);
      expect((await service.server.inject(`${path}?${own}&${search}`)).statusCode, path).toBe(400);
    }
  }
  const raw = { ...score.raw, constructor: { prototype: { polluted: 1 } } };
  expect(await post(service, "/score", { ...score, raw })).toMatchObject({ status: 200 });
  expect(await rows(service, "scores")).toMatchObject([{ raw }]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

describe("an error repeats only a little of what was sent", () => {
  const long = "x".repeat(mebibyte - 1_000);
  const wide = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`${index}`.padEnd(10_000, "x"), 1]));
  const nested = Array.from({ length: 30 }).reduce<object>((inner) => ({ ["x".repeat(30_000)]: inner }), { x: "\0" });
  const bodies: Readonly<Record<string, readonly [url: string, body: object | string]>> = {
    "a long name": ["/score", { ...score, area: long }],
    "a long scorecard": ["/score", { ...score, scorecard: long }],
    "a long metric": ["/score", { ...score, metric: long }],
    "a long unknown field": ["/score", { ...score, [long]: 1 }],
    "long unknown fields": ["/score", { ...score, ...wide }],
    "long keys on the way to a fault": ["/score", { ...score, raw: { ...score.raw, a: nested } }],
    "a long unknown field of an entry": ["/scores", { scores: [{ ...score, [long]: 1 }] }],
    "a long scorecard of an entry": ["/scores", { scores: [{ ...score, scorecard: long }] }],
    "a long severity": ["/problem/scan-result", { ...problem, severity: long }],
    "a long unknown field of a detail": ["/problem/scan-result", { ...problem, details: [{ file: "a", [long]: 1 }] }],
    "no JSON": ["/score", long],
    "a long text that is not closed": ["/score", `{"area":"${long}`],
  };
  test.each(Object.entries(bodies))("%s", async (_, [url, body]) => {
    const { status, body: answer } = await post(await useService(), url, body);
    expect(status).toBe(400);
    expect(JSON.stringify(answer).length).toBeLessThan(50_000);
  });
});
