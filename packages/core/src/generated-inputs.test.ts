import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateJunk, type Input, inputsLike } from "./generated-inputs.ts";

/** Each value of a field once: numbers by size, others as they come. */
function valuesOf(field: string, inputs: readonly Input[]): unknown[] {
  const values = [...new Set(inputs.map((input) => input[field]))];
  return values.every((value) => typeof value === "number") ? values.toSorted((a, b) => a - b) : values;
}

const noObject = [null, [], "80", 80, true];

describe("junk", () => {
  test.each<[string, Input[], unknown[]]>([
    ["of no sample", [], noObject],
    ["of a sample without fields", [{}], noObject],
    ["of a number", [{ high: 5 }], [...noObject, {}, {}, { high: "5" }, { high: null }, { high: {} }]],
    [
      "of a flag beside a text, which stays",
      [{ on: false, grade: "a" }],
      [
        ...[...noObject, {}, { grade: "a" }, { on: "false", grade: "a" }],
        ...[
          { on: null, grade: "a" },
          { on: {}, grade: "a" },
        ],
      ],
    ],
    [
      "of a field that each sample has, in each of them, and of no other",
      [
        { high: 5, low: 1 },
        { high: 6, more: 2 },
      ],
      [
        ...[...noObject, {}, { low: 1 }, { high: "5", low: 1 }, { high: null, low: 1 }, { high: {}, low: 1 }],
        ...[{ more: 2 }, { high: "6", more: 2 }, { high: null, more: 2 }, { high: {}, more: 2 }],
      ],
    ],
    ["of a field that the first sample lacks", [{}, { high: 5 }], noObject],
  ])("%s", (_, samples, junk) => {
    expect(generateJunk(samples)).toEqual(junk);
  });
});

describe("inputs", () => {
  const samples = [
    { high: 5, on: true, grade: "a" },
    { high: 7, grade: "b" },
  ];
  const some = (given: readonly Input[]) => fc.sample(inputsLike(given), { seed: 1, numRuns: 2_000 });

  test("have each field of a sample", () => {
    for (const input of some(samples)) expect(Object.keys(input)).toEqual(["high", "on", "grade"]);
  });

  test("vary a number: by one, by a hair, by sizes up to a billion, and halfway", () => {
    expect(valuesOf("high", some([{ high: 5 }]))).toEqual([
      ...[0, 0.001, 0.01, 0.1, 0.5, 1, 2, 2.5, 3, 4],
      ...[5 * (1 - 1e-9), 5, 5 * (1 + 1e-9), 6, 10, 50, 100, 1_000, 10_000, 1_000_000, 1_000_000_000],
    ]);
  });

  test("have what lies between the numbers of the samples", () => {
    const values = valuesOf("high", some([{ high: 0 }, { high: 1_000 }])) as number[];
    expect(values.filter((value) => value > 1 && value < 999 && Number.isInteger(value)).length).toBeGreaterThan(200);
    expect(values.filter((value) => value > 1 && value < 999 && !Number.isInteger(value)).length).toBeGreaterThan(50);
  });

  test.each<[string, unknown[], unknown[]]>([
    ["a flag takes both values", [true], [true, false]],
    ["texts are those of the samples", ["a", "b"], ["a", "b"]],
    ["a number beside a text stays as it is", [5, "none"], [5, "none"]],
    ["a flag beside a number stays as it is", [true, 5], [true, 5]],
  ])("%s", (_, given, values) => {
    const inputs = some(given.map((value) => ({ field: value })));
    expect(new Set(valuesOf("field", inputs))).toEqual(new Set(values));
  });
});
