import { expect, test } from "vitest";
import { visitXml, xmlRoot } from "./xml.ts";

function visited(text: string): string[] {
  const seen: string[] = [];
  visitXml(text, {
    open: (path, attributes) => seen.push(`<${path} ${JSON.stringify(attributes)}`),
    close: (path, content) => seen.push(`>${path} ${JSON.stringify(content)}`),
  });
  return seen;
}

test("elements come with their paths, attributes and own texts", () => {
  expect(visited('<a x="1 &amp; 2">t<b/><![CDATA[<u>]]>&#x41;<b>v</b></a>')).toEqual([
    '<a {"x":"1 & 2"}',
    "<a/b {}",
    '>a/b ""',
    "<a/b {}",
    '>a/b "v"',
    '>a "t<u>A"',
  ]);
});

test("a text is read in pieces, wherever they are cut", () => {
  const value = "ä😀&lt;".repeat(20_000);
  expect(visited(`<a><b>${value}</b></a>`)).toContain(`>a/b ${JSON.stringify(value.replaceAll("&lt;", "<"))}`);
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
