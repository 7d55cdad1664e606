import { expect, test, vi } from "vitest";
import { cacheByFilter } from "./by-filter.ts";

const apps = Array.from({ length: 50 }, (_, index) => ({
  ...{ area: index < 5 ? "small" : "large", team: "checkout", app: `app ${index}`, env: "prod" },
}));

test("what is made for a filter is made once, in whatever order its values stand", () => {
  const make = vi.fn((left: readonly object[]) => left.length);
  const of = cacheByFilter(make);
  const reading = { apps };
  expect(of(reading, { area: ["small"] })).toBe(5);
  expect(of(reading, { area: ["small", "large"] })).toBe(50);
  expect(of(reading, { area: ["large", "small", "large"] })).toBe(50);
  expect(make).toHaveBeenCalledTimes(2);
});

test("filters that leave nearly everything do not fill the memory, nor push out all that is small", () => {
  const make = vi.fn((left: readonly object[]) => left.length);
  const of = cacheByFilter(make);
  const reading = { apps };
  of(reading, { area: ["small"] });
  for (let index = 0; index < 40; index++) {
    of(reading, { area: ["large", `none ${index}`] });
    of(reading, { area: ["small"] });
  }
  expect(make).toHaveBeenCalledTimes(41);
  of(reading, { area: ["large", "none 0"] });
  expect(make).toHaveBeenCalledTimes(42);
});
