import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import type { Client } from "../src/index.ts";
import { breakOff, hangUp, hasty, inTurn, json, listen, overloaded, refuse } from "./support/listener.ts";

describe("a list", () => {
  const page = (next: string | null, ...items: object[]) =>
    json(200, { as_of: "2026-01-01T00:00:00.000Z", items, next, total: 2 });

  test("tries each page again by itself", async () => {
    const url = await listen(inTurn(overloaded, page("more", { app: "a" }), breakOff, page(null, { app: "b" })));
    const { pauses, createClient } = hasty();
    expect(await createClient({ url }).apps().toArray()).toEqual([{ app: "a" }, { app: "b" }]);
    expect(pauses).toEqual([250, 250]);
  });

  test("of a service that does not have it is said to be of a later one", async () => {
    const { createClient } = hasty();
    const client = createClient({ url: await listen(refuse(404, "not-found", "there is nothing at /apps")) });
    const older = { code: "not-found", status: 404, message: expect.stringContaining("older than this client") };
    await expect(client.apps().page()).rejects.toMatchObject(older);
    await expect(client.apps().csv()[Symbol.asyncIterator]().next()).rejects.toMatchObject(older);
    await expect(client.whoAmI()).rejects.toMatchObject(older);
  });

  test.each<[string, object | null]>([
    ["without items", { status: "ok" }],
    ["with a text for items", { items: "none", next: null }],
    ["without saying whether there is more", { items: [] }],
    ["with a number for a cursor", { items: [], next: 1 }],
    ["of null", null],
    ["of a list", []],
  ])("is none %s", async (_, body) => {
    const { createClient } = hasty();
    const client = createClient({ url: await listen(json(200, body)) });
    await expect(client.apps().toArray()).rejects.toMatchObject({ code: "unexpected-answer" });
  });

  test("whose first page comes again and again, from a cache that distinguishes no queries, ends with an error", async () => {
    const client = hasty().createClient({ url: await listen(page("more", { app: "a" })) });
    await expect(client.apps().toArray()).rejects.toMatchObject({ code: "unexpected-answer" });
  });
});

describe("a circle of pages ends with an error", () => {
  const rings = { one: [0], two: [1, 0], "three, entered late": [1, 2, 3, 1] };
  test.each(Object.entries(rings))("of %s", async (_, ring) => {
    let asked = 0;
    const url = await listen((request, response) => {
      const cursor = Number(new URL(`http://x${request.url}`).searchParams.get("cursor") ?? 0);
      const next = `${ring[cursor]}`;
      json(200, { as_of: "", items: [{ app: ++asked }], next, total: 9 })(request, response);
    });
    const said = { code: "unexpected-answer", isOutage: false, message: expect.stringContaining("/apps") };
    const seen: unknown[] = [];
    const read = async (items: AsyncIterable<unknown>) => {
      for await (const item of items) seen.push(item);
    };
    const apps = hasty().createClient({ url }).apps();
    await expect(apps.toArray()).rejects.toMatchObject(said);
    const pages = asked;
    expect(pages).toBeLessThanOrEqual(ring.length + 1);
    await expect(read(apps)).rejects.toMatchObject(said);
    await expect(read(apps.pages())).rejects.toMatchObject(said);
    expect(seen).toHaveLength(2 * pages);
    expect(asked).toBe(3 * pages);
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
