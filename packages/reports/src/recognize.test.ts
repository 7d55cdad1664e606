import { describe, expect, test } from "vitest";
import { beginningLength, recognize } from "./recognize.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** What the beginning of a file is taken for. */
function beginningOf(text: string): unknown {
  const all = bytes(text);
  const known = recognize(all.subarray(0, beginningLength), all.length <= beginningLength);
  return "format" in known ? known.format.name : known;
}

const results = JSON.stringify(Array.from({ length: 5_000 }, () => ({ Target: "a", Class: "os-pkgs" })));
const sections = "SF:a.ts\nDA:1,1\nend_of_record\n".repeat(5_000);

describe("the beginning of a file shows", () => {
  test.each<[string, string, unknown]>([
    ["a report", '{"SchemaVersion":2,"Results":[]}', "trivy"],
    ["a report that goes on", `{"SchemaVersion":2,"Results":${results}}`, "trivy"],
    ["a text report that goes on", `TN:\n${sections}`, "lcov"],
    ["a report that is cut off", '{"SchemaVersion":2,"Results":[{"Targ', "trivy"],
    ["an empty form", "[]\n", { empty: "[]" }],
    ["nothing", "", { empty: "blank" }],
    ["a file of another kind", "hello", { other: "text", isOpen: false }],
    ["that the end could say more", `{"list":${results}}`, { other: "JSON with the keys list", isOpen: true }],
    ["that blanks are no end", " ".repeat(100_000), { other: "text", isOpen: false }],
    ["bytes", "\0".repeat(100_000), { other: "a binary or compressed file", isOpen: false }],
  ])("%s", (_, text, expected) => {
    expect(beginningOf(text)).toEqual(expected);
  });
});

describe("what is wrong with a file of no known format that begins as JSON or XML", () => {
  const whole = { isOpen: false, other: expect.any(String) };
  test.each<[string, string, unknown]>([
    ["JSON that is cut off", '{"a":[{"b":"c', { ...whole, damage: expect.stringContaining("is cut off") }],
    ["JSON that is malformed", '{"a" 1}', { ...whole, damage: expect.stringContaining("is not valid JSON") }],
    ["lines of JSON of which the last is cut off", '{"a":1}\n{"a":', { ...whole, damage: expect.any(String) }],
    ["nothing but the beginning", "[", { ...whole, damage: expect.any(String) }],
    ["XML that is cut off", "<testsuites><testsuite>", { ...whole, damage: "is cut off inside testsuites/testsuite" }],
    [
      "XML that is malformed",
      "<list><b></list>",
      { ...whole, damage: expect.stringContaining("is not well-formed XML") },
    ],
    ["XML that ends before its root", '<?xml version="1.0"?>\n', { ...whole, damage: expect.any(String) }],
    ["XML that ends in its root", "<testsui", { ...whole, damage: expect.any(String) }],
    ["whole JSON", '{"a":[1]}', whole],
    ["whole XML", "<testsuites/>", whole],
    ["a page, which is no XML", "<!DOCTYPE html>\n<html><br><p>", whole],
    ["Markdown that begins with HTML", '<p align="center"><img src="a.png">\n\n# Shop\n', whole],
    ["a template", "<template>\n<br>\n</template>\n<script>\nlet a = 1 < 2;\n</script>", whole],
    ["settings with comments", '{\n  "a": "//", // b\n  /* c */ "d": [1, /* e */ ],\n}\n', whole],
    ["settings that begin with a comment", '// a\n{"b": 1}', whole],
    ["settings that are cut off", '{\n  "a": 1, // b\n', { ...whole, damage: expect.stringContaining("is cut off") }],
    ["settings of which a comment is cut off", '{"a": 1, /* b', { ...whole, damage: expect.any(String) }],
    ["lines of a log", "[INFO] a\n[WARN] b", whole],
  ])("%s", (_, text, expected) => {
    expect(recognize(bytes(text), true)).toEqual(expected);
  });

  test("that the end of XML could say it", () => {
    const text = `<testsuites>${"<testsuite/>".repeat(10_000)}`;
    expect(beginningOf(text)).toEqual({
      other: "a JUnit test report (no metric takes test results; send their coverage)",
      isOpen: true,
    });
  });
});
