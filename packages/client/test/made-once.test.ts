import { type RequestListener, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKnown } from "../../../services/scoring/test/support/known-names.ts";
import { startService, type TestService } from "../../../services/scoring/test/support/service.ts";
import type { Client } from "../src/index.ts";
import { hangUp, hasty, inTurn, json, listen, overloaded, page, refuse } from "./support/listener.ts";
import { secret } from "./support/reports.ts";

const made = json(201, { id: "1" });
const ask = (client: Client, area = "shop") =>
  client.waive({ kind: "not_applicable", area, scorecard: "security", reason: "r", owner: "ann" });

/** A service that answers these in turn. */
function serviceOf(...answers: RequestListener[]) {
  const keys: (string | undefined)[] = [];
  const answer = inTurn(...answers);
  const listener: RequestListener = (request, response) => {
    keys.push(request.headers["idempotency-key"]?.toString());
    answer(request, response);
  };
  return { keys, listener };
}

test.each<[string, RequestListener[]]>([
  ["it hangs up", [hangUp]],
  ["a proxy has nobody behind it", [page(502)]],
  ["a proxy has no room", [page(503)]],
  ["a proxy waited too long", [page(504)]],
  ["a proxy allows no more", [page(429)]],
  ["the database goes away while it commits", [refuse(503, "store-unavailable")]],
  ["one thing after the other goes wrong", [overloaded, hangUp, page(503), overloaded, hangUp]],
])("the service is asked again with the same key where %s", async (_, lost) => {
  const { keys, listener } = serviceOf(...lost, made);
  const client = hasty().createClient({ url: await listen(listener) });
  expect(await ask(client)).toEqual({ id: "1" });
  expect(keys).toHaveLength(lost.length + 1);
  expect(new Set(keys).size).toBe(1);
  await ask(client);
  expect(new Set(keys).size).toBe(2);
});

test("it may be done after a lost answer, whatever the service says later", async () => {
  const { keys, listener } = serviceOf(hangUp, refuse(403, "forbidden", "not yours"));
  await expect(ask(hasty().createClient({ url: await listen(listener) }))).rejects.toMatchObject({
    ...{ code: "forbidden", status: 403, attempts: 2, inDoubt: true },
    message: "not yours (2 attempts); it may be done all the same, so look before you do it again",
  });
  expect(keys).toHaveLength(2);
});

test("a dry run is never in doubt", async () => {
  const { createClient } = hasty();
  const client = createClient({ url: await listen(page(503)), giveUpAfterMs: 1_000 });
  const run = client.move({ from: { area: "a" }, to: { area: "b" }, dry_run: true });
  await expect(run).rejects.toMatchObject({ message: expect.not.stringContaining("may be done") });
});

test("the service is asked no more once the time is over", async () => {
  const { listener } = serviceOf(page(503));
  const { pauses, createClient } = hasty();
  const client = createClient({ url: await listen(listener), giveUpAfterMs: 5_000 });
  await expect(ask(client)).rejects.toMatchObject({ attempts: 5, inDoubt: true, isOutage: true });
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(5_000);
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

  test("a problem is stored once", async () => {
    const client = hasty().createClient({ url: await proxy(502, 2) });
    const { reported_at } = await client.reportProblem(secret);
    expect(await client.problems().toArray()).toMatchObject([{ reported_at }]);
  });

  test.each([429, 502, 503, 504])("with %i, one waiver is made", async (status) => {
    const area = `lost ${status}`;
    await makeKnown(service, { area });
    const client = hasty().createClient({ url: await proxy(status, 2), token: undefined });
    const waiver = await ask(client, area);
    expect(await client.waivers({ area }).toArray()).toEqual([waiver]);
  });
});
