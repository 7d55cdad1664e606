import { Readable } from "node:stream";
import type { Request, ResponseToolkit } from "@hapi/hapi";
import { describe, expect, test } from "vitest";
import { handleObject } from "./body.ts";

describe("a body", () => {
  const handler = handleObject(async (body) => body);
  const readStream = (payload: Readable) =>
    handler({ payload, raw: { req: { headers: {} } } } as unknown as Request, {} as ResponseToolkit);
  const read = (...chunks: (string | Buffer)[]) => readStream(Readable.from(chunks.map((chunk) => Buffer.from(chunk))));

  test("is read as UTF-8 JSON, a byte order mark allowed, wherever it was cut", async () => {
    const bytes = Buffer.from('\ufeff {"a":"\u00e9","a":"\u{1f600}"}\n');
    for (let cut = 1; cut < bytes.length; cut++) {
      expect(await read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual({ a: "\u{1f600}" });
    }
  });

  test("that holds nothing is called empty", async () => {
    await expect(read()).rejects.toThrow("the body is empty");
    await expect(read(" \n")).rejects.toThrow("the body is empty");
  });

  test("over 1 MiB is refused before it is all there", async () => {
    let sent = 0;
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(65_536, 32));
        sent += 65_536;
      },
    });
    await expect(readStream(endless)).rejects.toMatchObject({ code: "payload-too-large" });
    expect(sent).toBeLessThan(2 * 1_048_576);
  });

  test("that breaks off is refused", async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from("{");
        throw new Error("aborted");
      })(),
    );
    await expect(readStream(broken)).rejects.toMatchObject({ code: "invalid-payload" });
  });
});
