import { describe, expect, test } from "vitest";
import { failure, raw, scoreBy, validating } from "../test/score-by.ts";

describe("the input", () => {
  test("is left as it was by a function and a validator that change theirs", () => {
    const input = { eur: 3, tags: [{ a: 1 }], at: new Date(0) };
    const before = structuredClone(input);
    const change = (value: unknown) => {
      const own = value as typeof input;
      own.eur += 1;
      own.tags.push({ a: 2 });
      for (const tag of own.tags) tag.a += 1;
      return own;
    };
    const changing = validating((value) => ({ value: change(value) }));
    const score = scoreBy(
      {
        raw: changing,
        score: (value: unknown) => ({ score: 50, reasons: [{ field: "eur", value: change(value), text: "it is so" }] }),
      },
      input,
    );
    expect(score.reasons[0]?.value).toEqual({
      eur: 5,
      tags: [{ a: 3 }, { a: 4 }, { a: 3 }],
      at: "1970-01-01T00:00:00.000Z",
    });
    expect(input).toEqual(before);
  });

  test("is refused if it holds itself", () => {
    const input: Record<string, unknown> = { ...raw };
    input.itself = input;
    expect(failure(() => scoreBy({}, input))).toMatchObject({
      code: "invalid-raw",
      details: [{ path: "raw", message: "nests too deep, or holds itself" }],
    });
  });
});
