import fc from "fast-check";
import { expect, test } from "vitest";
import { viewAt } from "./views.ts";

test.each([
  ["board/", "board/"],
  ["board/areas/x?y=z", "board/areas/x?y=z"],
  ["board/?area=a%2Fb&env=prod", "board/?area=a%2Fb&env=prod"],
  ["board/#history", "board/#history"],
  ["board/x\\y", "board/x/y"],
  ["board/a/../b", "board/b"],
  ["board/%2F%2Fevil.example", "board/%2F%2Fevil.example"],
  ["board/?to=https://evil.example", "board/?to=https://evil.example"],
])("%j is the view %j", (address, view) => {
  expect(viewAt(address)).toBe(view);
});

const root = "https://maturity.acme.example/sign-in/callback";

test.each([
  "",
  "board",
  "boards/",
  "/board/",
  "//evil.example/board/",
  "/\\evil.example",
  "\\\\evil.example",
  "https:evil.example",
  "https://evil.example/board/",
  "javascript:alert(1)",
  "board/../../evil",
  "board/..//evil.example",
  "board/%2e%2e//evil.example",
  "board/.%2E/%2e./evil",
  "board/..\\\\evil.example",
  "board/.\t.//evil.example",
  "board/\n../metrics",
  "\tboard/",
  " board/",
  "./board/",
  "metrics",
  "%62oard/",
])("%j is no view", (address) => {
  expect(viewAt(address)).toBe(undefined);
});

/** What addresses that lead elsewhere are made of. */
const pieces = fc.constantFrom(
  ...[
    "board",
    "/",
    "//",
    "\\",
    "..",
    ".",
    "%2e",
    "%2E%2e",
    "%2f",
    "%5c",
    "%09",
    "%00",
    "\t",
    "\n",
    "\r",
    "\0",
    "\u00a0",
    "\u2028",
  ],
  ...[
    "https:",
    "javascript:",
    "data:",
    "@",
    ":80",
    "evil.example",
    "?",
    "#",
    "&to=",
    "%",
    "%25",
    "a",
    "ä",
    "\ud800",
    "．．",
    "／",
  ],
);

test("whatever a view is, a browser that is sent there stays below the Board", () => {
  const addresses = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.boolean(), addresses, (isBelow, address) => {
      const view = viewAt(isBelow ? `board/${address}` : address);
      if (view === undefined) return;
      expect(view).toMatch(/^board\/[!-~]*$/); // a header holds it, and a browser reads it as it is
      expect(new URL(`../${view}`, root).href).toBe(`https://maturity.acme.example/${view}`);
      expect(viewAt(view)).toBe(view);
    }),
    { numRuns: 20_000 },
  );
});

test("a view that is too long for a cookie loses its query", () => {
  expect(viewAt(`board/areas/x?apps=${"a".repeat(2_000)}`)).toBe("board/areas/x");
  expect(viewAt(`board/${"a".repeat(2_000)}?b`)).toBe("board/");
  expect(viewAt(`board/x?${"\\".repeat(1_900)}`)).toBe("board/x"); // which is twice as long in the cookie
});
