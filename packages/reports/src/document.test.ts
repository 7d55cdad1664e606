import { describe, expect, test } from "vitest";
import { Document } from "./document.ts";
import { maxNesting } from "./json.ts";

/** A list in a list, and so on. */
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("records", () => {
  test.each<[string, string, unknown[], boolean]>([
    ["one object", ' {"a": 1}\n', [{ a: 1 }], false],
    ["a list of objects", '[{"a": 1}, {"a": 2}]', [{ a: 1 }, { a: 2 }], false],
    ["an empty list", "[]", [], false],
    ["null", "null", [], false],
    ["nothing", "", [], false],
    ["an object a line", '{"a": 1}\n{"a": 2}\n', [{ a: 1 }, { a: 2 }], false],
    ["an object a line, with CRLF and empty lines", '{"a": 1}\r\n\r\n{"a": 2}', [{ a: 1 }, { a: 2 }], false],
    ["objects without a space between them", '{"a": 1}{"a": 2}', [{ a: 1 }, { a: 2 }], false],
    ["objects of several lines, one after the other", '{\n"a": 1\n}\n{\n"a": 2\n}', [{ a: 1 }, { a: 2 }], false],
    ["lists one after the other", '[{"a": 1}]\n[{"a": 2}]\n', [{ a: 1 }, { a: 2 }], false],
    ["text before", '[INFO] go\n[0000] {x}\n{"a": 1}', [{ a: 1 }], true],
    ["text after", '{"a": 1}\n[0001] done {}\n', [{ a: 1 }], true],
    ["text between", 'x\n{"a": 1}\nwarning: y\n{"a": 2}', [{ a: 1 }, { a: 2 }], true],
    ["brackets and quotes in texts", '{"a": "}\\"]{"}\n{"b": "\\\\"}', [{ a: '}"]{' }, { b: "\\" }], false],
    ["text only", "all good\n", [], true],
    ["XML", "<a>{}</a>", [], true],
  ])("of %s", (_name, text, records, surrounded) => {
    const document = new Document(text);
    expect([...document.records()]).toEqual(records);
    expect(document.surrounded).toBe(surrounded);
  });

  test.each<[string, string, string]>([
    ["an object", '{"a": {"b": 1}', "is cut off: the JSON value that begins in line 1 does not end"],
    ["a text", '{"a": "b', "is cut off: the JSON value that begins in line 1 does not end"],
    ["a list", '[{"a": 1}, {"a": 2},\n', "is cut off: the JSON value that begins in line 1 does not end"],
    ["a bracket", "{", "is cut off: the JSON value that begins in line 1 does not end"],
    ["the last of several lines", '{"a": 1}\n{"a', "is cut off: the JSON value that begins in line 2 does not end"],
    [
      "a line between others",
      '{"a": 1}\n{"a": "\n{"a": 3}',
      "is cut off: the JSON value that begins in line 2 does not",
    ],
    ["after text", 'go\n\n{"a": 1', "is cut off: the JSON value that begins in line 3 does not end"],
    ["in what begins without a bracket", '{"a": 1}\n"b": [2]}\n', "is cut off: between line 1 and line 3 a JSON value"],
    ["by a comma too many", '{"a": 1,}', "is not valid JSON in the value that begins in line 1"],
    ["by NaN", 'x\n{"a": NaN}', "is not valid JSON in the value that begins in line 2"],
    ["by too many levels", nested(maxNesting + 1), "is nested more than 1000 deep in the value that begins in line 1"],
    [
      "by far too many levels in one of several lines",
      `{"a": 1}\n{"a": ${nested(50_000)}}\n{"a": 2}`,
      "is nested more than 1000 deep in the value that begins in line 2",
    ],
    ["by levels that do not end", "[".repeat(50_000), "is nested more than 1000 deep"],
    ["by brackets that do not match", '{"a": [1}]', "is not valid JSON in the value that begins in line 1"],
  ])("damaged: %s", (_name, text, message) => {
    expect(() => [...new Document(text).records()]).toThrow(message);
  });
});

test.each<[string, unknown[]]>([
  ["[1, true, null]", [1, true, null]],
  [" \n[1, 2]\n ", [1, 2]],
  ["0", []],
  ['"a"', []],
  ['"[1]"', []],
])("the records of %j, as the head of it", (text, records) => {
  const document = new Document(text);
  expect([...document.records()]).toEqual(records);
  expect(document.head).toEqual(records);
  expect(document.damaged).toBe(false);
});

test.each(["", '{"a": 1}\n'])("as many levels as may be, after %j", (before) => {
  expect([...new Document(`${before}[${nested(maxNesting - 1)}]`).records()]).toHaveLength(before === "" ? 1 : 2);
});

describe("head", () => {
  test.each<[string, string, unknown[]]>([
    ["a whole file", '[{"a": 1}, {"a": 2}]', [{ a: 1 }, { a: 2 }]],
    ["a file cut off in a text", '{"a": 1, "b": [{"c": 2}, {"d": "x', [{ a: 1, b: [{ c: 2 }, {}] }]],
    ["a file cut off before its last bracket", '{"a": 1, "b": "x"', [{ a: 1, b: "x" }]],
    ["a list cut off in its second object", '[{"a": 1}, {"a": ', [{ a: 1 }, {}]],
    ["a last line cut off", '{"a": 1}\n{"b": [1, {"c"', [{ a: 1 }, { b: [1, {}] }]],
    ["a malformed file", '{"a": 1, "b": 2,}', [{ a: 1, b: 2 }]],
    ["text", "all good", []],
    ["what only looks like JSON", "{'a': 1}", []],
  ])("of %s", (_name, text, head) => {
    expect(new Document(text).head).toEqual(head);
  });

  test("of many records has 20", () => {
    expect(new Document('{"a": 1}\n'.repeat(50)).head).toHaveLength(20);
    expect(new Document(`[${'{"a": 1},'.repeat(50)}{}]`).head).toHaveLength(20);
    const list = `[${'{"a": 1},'.repeat(14)}{}]`;
    expect(new Document(`${list}\n${list}`).head).toHaveLength(20);
  });

  test("says nothing of the damage after it", () => {
    const lines = '{"a": 1}\n'.repeat(19);
    expect(new Document(`${lines}{"a": `).damaged).toBe(true);
    expect(new Document(`${lines}{"a": 1}\n{"a": `).damaged).toBe(false);
  });

  test("has a long record to its end", () => {
    const record = { a: "x".repeat(70_000), b: 1 };
    expect(new Document(`go\n${JSON.stringify(record)}`).head).toEqual([record]);
  });
});

test.each([
  ["", "blank"],
  [" \r\n", "blank"],
  ["null\n", "null"],
  ["[\n]", "[]"],
  ["{}", undefined],
  ["[null]", undefined],
  ["0", undefined],
  ["x[]", undefined],
  ["[]x", undefined],
  ['{"results":[]}', '{"results":[]}'],
  [' { "results" : [ ] } ', '{"results":[]}'],
  ['{"results":null}', '{"results":[]}'],
  ['{"results":[1]}', undefined],
  ['{"results":[],"a":1}', undefined],
  ['x{"results":[]}', undefined],
  ['{"results":[]}x', undefined],
])("what is empty: %j", (text, form) => {
  expect(new Document(text).empty).toBe(form);
});

test("a file of very many blanks is not looked through for an empty form", () => {
  expect(new Document(" ".repeat(65_536)).empty).toBe("blank");
  expect(new Document(" ".repeat(65_537)).empty).toBeUndefined();
});

test("the beginning of a file is neither empty nor damaged, whatever the rest is", () => {
  const beginning = new Document(" ", false);
  expect(beginning.empty).toBeUndefined();
  expect(new Document('{"a": ', false).damaged).toBe(false);
  expect(new Document('{"a": ').damaged).toBe(true);
  expect(new Document('{"a": 1}').damaged).toBe(false);
});

test("equal records are given once, if not asked for each, and counted", () => {
  const document = new Document('{"a": 1}\n{"a": 2}\n{"a": 1}\n{"a": 1}');
  expect([...document.records()]).toEqual([{ a: 1 }, { a: 2 }]);
  expect(document.repeated).toBe(2);
  expect([...document.records()]).toHaveLength(2);
  expect(document.repeated).toBe(2);
  expect([...document.records("each")]).toHaveLength(4);
  expect(document.repeated).toBe(0);
  const list = new Document('[{"a": 1}, {"a": 1}]');
  expect([...list.records()]).toEqual([{ a: 1 }]);
  expect([...list.records("each")]).toHaveLength(2);
});

test.each(['{"a": 1, "a": 2}', '{"b": 1}\n{"a": 1, "a": 2}'])(
  "a key that stands twice with two values is refused: %j",
  (text) => {
    expect(() => [...new Document(text).records()]).toThrow(/^has the key a twice in one object, with two values$/);
  },
);

test("a long key is cut", () => {
  const key = "k".repeat(500);
  const text = `{"${key}": 1, "${key}": 2}`;
  expect(() => [...new Document(text).records()]).toThrow(/^has the key k{99}… twice/);
});

test("the root of XML is known, and JSON in it is no record to recognize it by", () => {
  const document = new Document('<a b="c">\n{"d": 1}\n</a>');
  expect(document.root).toMatchObject({ name: "a" });
  expect(document.head).toEqual([]);
  expect(new Document("{}").root).toBeUndefined();
});

test.each<[string, string[]]>([
  ["", []],
  ["a\nb", ["a", "b"]],
  ["a\r\n\r\nb\r\n", ["a", "", "b"]],
  ["\na\r", ["", "a"]],
])("the lines of %j", (text, lines) => {
  expect([...new Document(text).lines()]).toEqual(lines);
});
