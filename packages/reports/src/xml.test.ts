import { expect, test } from "vitest";
import { ReportError } from "./errors.ts";
import { visitXml, xmlRoot } from "./xml.ts";

/** What a visitor of these places, or of all elements, gets. */
function visited(text: string, places: readonly string[] = ["**"]): string[] {
  const seen: string[] = [];
  const handlerOf = (place: string) => ({
    open: (attributes: object) => seen.push(`<${place} ${JSON.stringify(attributes)}`),
    close: (content: string) => seen.push(`>${place} ${JSON.stringify(content)}`),
  });
  visitXml(text, Object.fromEntries(places.map((place) => [place, handlerOf(place)])));
  return seen;
}

test("elements come with their attributes and own texts", () => {
  expect(visited('<a x="1 &amp; 2">t<b/><![CDATA[<u>]]>&#x41;<b>v</b></a>', ["a", "a/b"])).toEqual([
    '<a {"x":"1 & 2"}',
    "<a/b {}",
    '>a/b ""',
    "<a/b {}",
    '>a/b "v"',
    '>a "t<u>A"',
  ]);
});

test.each<[string, readonly string[]]>([
  ["a", ["1"]],
  ["a/b", ["2", "5"]],
  ["a/b/b", ["3"]],
  ["a/**/b", ["2", "3", "5"]],
  ["a/**/b/b", ["3"]],
  ["a/b/**/c", ["4"]],
  ["a/**", ["1", "2", "3", "4", "5"]],
  ["**/b/c", []],
  ["b", []],
  ["constructor", []],
])("the elements at %s are %j", (place, expected) => {
  const found: (string | undefined)[] = [];
  visitXml('<a n="1"><b n="2"><b n="3"><d><c n="4"/></d></b></b><b n="5"/></a>', {
    [place]: { open: ({ n }) => found.push(n) },
  });
  expect(found.filter(Boolean)).toEqual(expected);
});

test("of several places that fit the first counts", () => {
  expect(visited("<a><b/></a>", ["a/b", "a/**"])).toEqual(["<a/** {}", "<a/b {}", '>a/b ""', '>a/** ""']);
});

test("a text is read in pieces, wherever they are cut", () => {
  const value = "ä😀&lt;".repeat(20_000);
  expect(visited(`<a><b>${value}</b></a>`, ["a/b"])).toContain(`>a/b ${JSON.stringify(value.replaceAll("&lt;", "<"))}`);
});

test("an error shows the beginning of long names", () => {
  expect(() => visited(`<${"a".repeat(1_000_000)}><b>`)).toThrow(
    new ReportError("unreadable-report", `is cut off inside ${"a".repeat(40)}/b`),
  );
});

test.each<[string, string, string]>([
  ["cut off in an element", "<a><b>", "is cut off inside a/b"],
  ["cut off in a tag", "<a><b x=", "is cut off inside a"],
  ["cut off before the root", '<?xml version="1.0"?>', "is not well-formed XML"],
  ["tags that do not match", "<a><b></a></b>", "is not well-formed XML"],
  ["two roots", "<a/><b/>", "is not well-formed XML"],
  ["an entity that nobody defined", "<a>&nbsp;</a>", "is not well-formed XML"],
  [
    "entities that grow",
    '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>',
    "is not well-formed XML",
  ],
  ["nested without end", "<a>".repeat(1_000_000), "is nested too deep"],
  ["an external entity", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "is not well-formed XML"],
])("refused: %s", (_name, text, message) => {
  expect(() => visited(text)).toThrow(message);
});

test.each<[string, ReturnType<typeof xmlRoot>]>([
  ['<a x="1"/>', { name: "a", attributes: { x: "1" } }],
  [
    '\n<?xml version="1.0"?>\n<!-- <b> -->\n<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd">\n<a>',
    { name: "a", attributes: {} },
  ],
  ['<!-- before the declaration -->\n<?xml version="1.0"?>\n<a x="1"/>', { name: "a", attributes: { x: "1" } }],
  [`<!-- ${"long ".repeat(50_000)}-->\n<a/>`, { name: "a", attributes: {} }],
  [`<!-- ${"long ".repeat(500_000)}-->\n<a/>`, undefined],
  ["<a", undefined],
  ['<a x="1', { name: "a", attributes: {} }],
  ["{}", undefined],
  ["<<<", undefined],
  ["", undefined],
])("the root of %j", (text, root) => {
  expect(xmlRoot(text)).toEqual(root);
});
