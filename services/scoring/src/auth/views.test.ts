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

test("whatever a view is, a browser that is sent there stays below the Board", () => {
  for (const first of ["..", "%2e%2e", ".", "", "\\", "\t", "a", "//", "@evil.example", ":80"]) {
    for (const second of ["..", "/evil.example", "\\evil.example", "?", "#", "x"]) {
      const view = viewAt(`board/${first}/${second}`);
      if (view === undefined) continue;
      expect(new URL(`../${view}`, root).href).toMatch(/^https:\/\/maturity\.acme\.example\/board\//);
    }
  }
});

test("a view that is too long for a cookie loses its query", () => {
  expect(viewAt(`board/areas/x?apps=${"a".repeat(2_000)}`)).toBe("board/areas/x");
  expect(viewAt(`board/${"a".repeat(2_000)}?b`)).toBe("board/");
});
