import { MaturityError } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { invalidPayload } from "../model/errors.ts";
import { readEntries } from "./entries.ts";

const list = (length: number) => Array.from({ length }, (_, index) => ({ index }));

describe("the entries of a list", () => {
  test("are read in their order, and others have turns of the event loop in between", async () => {
    let over = false;
    let turns = 0;
    const count = () => {
      turns++;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    const made = await readEntries("scores", list(50), (entry) => {
      for (const end = performance.now() + 1; performance.now() < end; ); // a slice has ten of these at most
      return entry;
    });
    over = true;
    expect(made).toEqual(list(50));
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("are read up to the hundredth fault, and a hundred are listed", async () => {
    let read = 0;
    const wrong = () => {
      read++;
      throw invalidPayload(["a", "b", "c"].map((path) => ({ path, message: "is wrong" })));
    };
    const reading = readEntries("scores", list(1_000), wrong, [{ path: "area", message: "is required" }]);
    const { details, message } = await reading.catch((error) => error);
    expect(details).toHaveLength(100);
    expect(details.slice(0, 2)).toEqual([
      { path: "area", message: "is required" },
      { path: "scores[0].a", message: "is wrong" },
    ]);
    expect(message).toMatch(/^area is required; scores\[0\]\.a is wrong.*; and 90 more$/);
    expect(read).toBe(33);
  });

  test("are refused by their index where they are no objects, or have too many fields", async () => {
    const wide = Object.fromEntries(list(101).map(({ index }) => [index, 0]));
    await expect(readEntries("details", [1, null, [], "x", wide, {}], (entry) => entry)).rejects.toMatchObject({
      code: "invalid-payload",
      details: [
        ...[0, 1, 2, 3].map((index) => ({ path: `details[${index}]`, message: "must be an object" })),
        { path: "details[4]", message: "has more than 100 fields" },
      ],
    });
  });

  test.each([new MaturityError("scorer-failed", "it threw"), new Error("a fault of the service")])(
    "what is no fault of the caller's is thrown on: %s",
    async (error) => {
      const fail = () => {
        throw error;
      };
      await expect(readEntries("scores", [{}], fail)).rejects.toBe(error);
    },
  );
});
