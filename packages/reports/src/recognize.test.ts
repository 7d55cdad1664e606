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

describe("the beginning of a file tells", () => {
  test.each<[string, string, unknown]>([
    ["a report", '{"SchemaVersion":2,"Results":[]}', "trivy"],
    ["a report that goes on", `{"SchemaVersion":2,"Results":${results}}`, "trivy"],
    ["a text report that goes on", `TN:\n${sections}`, "lcov"],
    ["a report that is cut off", '{"SchemaVersion":2,"Results":[{"Targ', "trivy"],
    ["an empty form", "[]\n", { empty: "[]" }],
    ["nothing", "", { empty: "0 bytes" }],
    ["a file of another kind", "hello", { other: "text", isOpen: false }],
    ["that the end could tell more", `{"list":${results}}`, { other: "JSON with the keys list", isOpen: true }],
    ["that blanks are no end", " ".repeat(100_000), { other: "text", isOpen: false }],
    ["bytes", "\0".repeat(100_000), { other: "a binary or compressed file", isOpen: false }],
  ])("%s", (_, text, expected) => {
    expect(beginningOf(text)).toEqual(expected);
  });
});
