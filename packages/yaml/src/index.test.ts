import { describe, expect, test } from "vitest";
import { readYaml, readYamlDocuments } from "./index.ts";

const settings = `# who reports
url: https://maturity.example.com
gate:
  min: 80
  metrics:
    - image_scan
    - sast
`;

describe("a text that fits", () => {
  test("gives its value, without faults", () => {
    expect(readYaml(settings)).toMatchObject({
      value: { url: "https://maturity.example.com", gate: { min: 80, metrics: ["image_scan", "sast"] } },
      faults: [],
      warnings: [],
    });
  });

  test.each([
    ["JSON", '{"a": [1, true, null]}', { a: [1, true, null] }],
    ["nothing", "", null],
    ["a comment alone", "# later\n", null],
    ["an alias", "a: &x [1]\nb: *x", { a: [1], b: [1] }],
    ["a number and a text of the same digits", "1: a\n'1x': b", { 1: "a", "1x": "b" }],
  ])("may be %s", (_, text, value) => expect(readYaml(text)).toMatchObject({ value, faults: [] }));

  test("has texts alone where the schema is failsafe", () => {
    expect(readYaml("a: 80\nb: yes\nc:", { schema: "failsafe" }).value).toEqual({ a: "80", b: "yes", c: "" });
  });

  test("may have an unknown tag, which is warned of in its line", () => {
    const { value, faults, warnings } = readYaml("a: 1\nb: !secret x\n");
    expect({ value, faults }).toEqual({ value: { a: 1, b: "x" }, faults: [] });
    expect(warnings).toEqual([{ line: 2, message: expect.stringContaining("!secret") }]);
  });
});

describe("the line of a part", () => {
  const { lineOf } = readYaml(settings);

  test.each<[string, (string | number)[], "value" | "key", number]>([
    ["a value", ["gate", "min"], "value", 4],
    ["a key", ["gate"], "key", 3],
    ["a mapping, which begins with its first key", ["gate"], "value", 4],
    ["an item", ["gate", "metrics", 1], "value", 7],
    ["an item, which has no key", ["gate", "metrics", 1], "key", 7],
    ["what is missing, where that stands which should hold it", ["gate", "max"], "value", 4],
    ["what is missing far below", ["gate", "metrics", 9, "x"], "value", 6],
    ["the whole", [], "value", 2],
    ["the key of a top member", ["url"], "key", 2],
  ])("%s", (_, path, part, line) => expect(lineOf(path, part)).toBe(line));

  test("is that of the value unless the key is asked for", () => expect(lineOf(["gate"])).toBe(4));

  test("of an empty text is the first", () => expect(readYaml("").lineOf(["a"])).toBe(1));
});

describe("a text that does not fit has no value, and a fault", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const aliases = (count: number) => `a: &x 1\nb:\n${"  - *x\n".repeat(count)}`;

  test.each<[string, string, number, string | RegExp]>([
    ["broken", "a: 1\nb: [", 2, /^Flow sequence/],
    ["a key twice", "a: 1\nb: 2\na: 3", 3, "the key a stands there twice"],
    ["a key twice, deep", "a:\n  - b: 1\n    b: 2", 3, "the key b stands there twice"],
    ["a key __proto__", "a: 1\n__proto__: 2", 2, "the key __proto__ cannot be used"],
    ["two documents", "a: 1\n---\nb: 2", 2, "a second document begins here; there must be one alone"],
    ["a value that holds itself", "a: &x\n  b: *x", 1, "a value must not hold itself"],
    ["an unknown alias", "a: *x", 1, /x/],
    ["101 aliases", aliases(101), 103, "there are more than 100 aliases"],
    ["nested too deep", nested(20_000), 1, "it is nested too deep"],
  ])("%s", (_, text, line, message) => {
    const { value, faults } = readYaml(text);
    expect(value).toBeUndefined();
    expect(faults[0]).toEqual({
      line,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });

  test("but 99 aliases are read", () => {
    expect(readYaml(aliases(99))).toMatchObject({ value: { a: 1, b: Array(99).fill(1) }, faults: [] });
  });

  test("aliases of aliases do not grow without end", () => {
    const layers = Array.from(
      { length: 8 },
      (_, n) =>
        `l${n}: &l${n} [${Array(9)
          .fill(n ? `*l${n - 1}` : "x")
          .join()}]`,
    );
    const { value, faults } = readYaml(layers.join("\n"));
    expect(value).toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  test("all faults are listed", () => {
    expect(readYaml("a: 1\na: 2\nb: 1\nb: 2").faults.map(({ line }) => line)).toEqual([2, 4]);
  });
});

describe("several documents", () => {
  test("are read each for itself, and those without content are left out", () => {
    const found = readYamlDocuments("a: 1\n---\n# nothing\n---\nb: 2\n---\nc: [\n---\n''\n");
    expect(found.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }, undefined, ""]);
    expect(found.map(({ faults }) => faults.length > 0)).toEqual([false, false, true, false]);
  });

  test("have lines that count from the beginning of the text", () => {
    const [, second] = readYamlDocuments("a: 1\n---\nb: 2\n");
    expect(second?.lineOf(["b"])).toBe(3);
  });

  test("are none in an empty text", () => expect(readYamlDocuments("")).toEqual([]));

  test("have texts alone where the schema is failsafe", () => {
    expect(readYamlDocuments("a: 1", { schema: "failsafe" })[0]?.value).toEqual({ a: "1" });
  });
});
