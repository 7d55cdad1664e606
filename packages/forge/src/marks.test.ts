import { expect, test } from "vitest";
import { markerOf, statusLink, statusText } from "./marks.ts";

const target = { area: "shop", team: "checkout", app: "cart", env: "prod" };
const marker = markerOf(target, "gate");

test("no two targets and names have one marker", () => {
  const others = [
    markerOf({ ...target, app: "search" }, "gate"),
    markerOf({ ...target, env: "test" }, "gate"),
    markerOf({ ...target, team: "checkoutcart", app: "" }, "gate"),
    markerOf(target, "nightly"),
  ];
  expect(new Set([marker, ...others]).size).toBe(5);
  expect(markerOf(target, "gate")).toBe(marker);
});

test("a status says what failed, and else everything, within its length", () => {
  const verdicts = [
    { text: "at least 30", met: true },
    { text: "no worse than stored", met: false },
  ];
  expect(statusText("gate not met", verdicts)).toBe("gate not met: no worse than stored");
  expect(statusText("gate met", verdicts.slice(0, 1))).toBe("gate met: at least 30");
  expect(statusText("gate not met", [{ text: "💥".repeat(200), met: false }])).toMatch(/^gate not met: 💥{125}…$/u);
});

test("a status leads to the first address that is not too long", () => {
  const long = `https://maturity.example.com/board/?app=${"x".repeat(300)}`;
  expect(statusLink(long, "https://ci.example.com/1")).toBe("https://ci.example.com/1");
  expect(statusLink(undefined, "javascript:alert(1)")).toBeUndefined();
});
