import { expect, test } from "vitest";
import { nearName } from "./mapping.ts";

test("the near name is the one that differs least, or the whole one of a part", () => {
  expect(nearName("chekout", ["cart", "checkout", "checkouts"])).toBe("checkout");
  expect(nearName("SAST", ["dast", "sast"])).toBe("sast");
  expect(nearName("sast", ["security.dast", "security.sast"])).toBe("security.sast");
  expect(nearName("search", ["cart", "checkout"])).toBeUndefined();
});

test("a long text has no near name, and of many names the first of about its length count", () => {
  const long = "x".repeat(51);
  expect(nearName(long, [long])).toBeUndefined();
  const others = Array.from({ length: 500 }, (_, index) => `other-${String(index).padStart(3, "0")}`);
  expect(nearName("checkouts!", ["x".repeat(40), ...others.slice(1), "checkouts"])).toBe("checkouts");
  expect(nearName("checkouts!", [...others, "checkouts"])).toBeUndefined();
});
