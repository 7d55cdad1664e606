import { describe, expect, test } from "vitest";
import { generateInputs, generateJunk, type Input } from "./generated-inputs.ts";

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

  test("are the samples and 500 that mix them, the same ones at every call and in every version", () => {
    const inputs = generateInputs(samples);
    expect(inputs).toHaveLength(502);
    expect(inputs.slice(0, 5)).toEqual([
      ...samples,
      { high: 1_000, on: true, grade: "b" },
      { high: 550, on: true, grade: "a" },
      { high: 5_500, on: false, grade: "a" },
    ]);
    expect(inputs.at(-1)).toEqual({ high: 4, on: true, grade: "b" });
    expect(generateInputs(samples)).toEqual(inputs);
  });

  test("are not the samples themselves, which a scorer may change", () => {
    const sample = { high: 5 };
    expect(generateInputs([sample])[0]).not.toBe(sample);
  });

  test("vary a number: by one, by a hair, by sizes up to a billion, and halfway between", () => {
    expect(valuesOf("high", generateInputs([{ high: 5 }]))).toEqual([
      ...[0, 0.0005, 0.001, 0.0055, 0.01, 0.055, 0.1, 0.3, 0.5, 0.75, 1, 1.5, 2, 3.5, 4],
      ...[5 * (1 - 1e-9), 5, 5 * (1 + 1e-9), 6, 7.5, 8, 10, 30, 50, 75, 100, 550, 1_000, 5_500, 10_000],
      ...[505_000, 1_000_000, 500_500_000, 1_000_000_000],
    ]);
  });

  test.each<[string, unknown[], unknown[]]>([
    ["a flag takes both values", [true], [true, false]],
    ["texts are those of the samples", ["a", "b"], ["a", "b"]],
    ["a number beside a text stays as it is", [5, "none"], [5, "none"]],
    ["a flag beside a number stays as it is", [true, 5], [true, 5]],
  ])("%s", (_, given, values) => {
    const inputs = generateInputs(given.map((value) => ({ field: value })));
    expect(new Set(valuesOf("field", inputs))).toEqual(new Set(values));
  });
});
