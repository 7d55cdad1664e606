import { type RequestListener, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import { type Client, createClient } from "../src/index.ts";
import { hangUp, hasty, inTurn, json, listen, overloaded, page, refuse } from "./support/listener.ts";

const made = json(201, { id: "1" });
const ask = (client: Client, area = "shop") =>
  client.waive({ kind: "not_applicable", area, scorecard: "security", reason: "r", owner: "ann" });

/** A service that describes itself as one that heeds keys, or not, and answers these in turn to whatever it is asked to do. */
function serviceOf(described: RequestListener, ...answers: RequestListener[]) {
  const keys: (string | undefined)[] = [];
  const answer = inTurn(...answers);
  const listener: RequestListener = (request, response) => {
    if (request.method === "GET") return described(request, response);
    keys.push(request.headers["idempotency-key"]?.toString());
    answer(request, response);
  };
  return { keys, listener };
}
const parameters = [{ name: "Idempotency-Key", in: "header", schema: { type: "string" } }];
const heeding = json(200, { paths: { "/waivers": { get: {}, post: { parameters } } } });

describe("a service that heeds keys", () => {
  test.each<[string, RequestListener[]]>([
    ["hangs up", [hangUp]],
    ["a proxy has nobody behind it", [page(502)]],
    ["a proxy has no room", [page(503)]],
    ["a proxy waited too long", [page(504)]],
    ["a proxy allows no more", [page(429)]],
    ["the database goes away while it commits", [refuse(503, "store-unavailable")]],
    ["one thing after the other goes wrong", [overloaded, hangUp, page(503), overloaded, hangUp]],
  ])("is asked again with the same key where %s", async (_, lost) => {
    const { keys, listener } = serviceOf(inTurn(page(502), heeding), ...lost, made);
    const client = hasty().createClient({ url: await listen(listener) });
    expect(await ask(client)).toEqual({ id: "1" });
    expect(keys).toHaveLength(lost.length + 1);
    expect(new Set(keys).size).toBe(1);
    await ask(client);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{1,200}$/);
  });

  test("may have done it all the same, whatever it says later", async () => {
    const { keys, listener } = serviceOf(heeding, hangUp, refuse(403, "forbidden", "not yours"));
    await expect(ask(hasty().createClient({ url: await listen(listener) }))).rejects.toMatchObject({
      ...{ code: "forbidden", status: 403, attempts: 2, inDoubt: true },
      message: "not yours (2 attempts); it may be done all the same, so look before you do it again",
    });
    expect(keys).toHaveLength(2);
  });

  test("is asked no more once the time is over", async () => {
    const { listener } = serviceOf(heeding, page(503));
    const { pauses, createClient } = hasty();
    const client = createClient({ url: await listen(listener), giveUpAfterMs: 5_000 });
    await expect(ask(client)).rejects.toMatchObject({ attempts: 5, inDoubt: true, isOutage: true });
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(5_000);
  });
});

describe("is sent once where a proxy fails and the service", () => {
  const withoutKey = { "/waivers": { post: { parameters: [{ name: "x", in: "header" }] } } };
  test.each<[string, RequestListener]>([
    ["knows no keys", json(200, { paths: withoutKey })],
    ["knows them elsewhere alone", json(200, { paths: { "/apps/move": { post: { parameters } } } })],
    ["does not say", json(200, { paths: {} })],
    ["describes nothing", page(404)],
    ["is away for good", page(503)],
  ])("%s", async (_, described) => {
    const { keys, listener } = serviceOf(described, page(503), made);
    await expect(ask(hasty().createClient({ url: await listen(listener) }))).rejects.toMatchObject({
      ...{ code: "unexpected-answer", status: 503, attempts: 1, inDoubt: true },
      message: expect.stringMatching(/it may be done all the same, so look before you do it again$/),
    });
    expect(keys).toHaveLength(1);
  });
});

test("what ends the call ends the question too", async () => {
  const controller = new AbortController();
  const { listener } = serviceOf(() => controller.abort(new Error("enough")), page(503));
  const client = createClient({ url: await listen(listener) });
  const waiver = { kind: "not_applicable", area: "a", scorecard: "security", reason: "r", owner: "ann" } as const;
  await expect(client.waive(waiver, { signal: controller.signal })).rejects.toThrow("enough");
});

describe("behind a proxy that passes a request on and then answers itself", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    await service.server.start();
  });
  afterAll(() => service.stop());

  /** Passes each request on, and answers those to make something with this as often as said. */
  async function proxy(status: number, times: number): Promise<string> {
    let lost = 0;
    return await listen((asked, answered) => {
      const { method, url, headers } = asked;
      const passed = request(`${service.server.info.uri}${url}`, { method, headers }, (answer) => {
        if (method !== "POST" || ++lost > times) {
          answered.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(answered);
          return;
        }
        answer.resume().once("end", () => page(status)(asked, answered));
      });
      asked.pipe(passed);
    });
  }

  test.each([429, 502, 503, 504])("with %i, one waiver is made", async (status) => {
    const area = `lost ${status}`;
    const client = hasty().createClient({ url: await proxy(status, 2), token: undefined });
    const waiver = await ask(client, area);
    expect(await client.waivers({ area }).toArray()).toEqual([waiver]);
  });
});
