import { expect, test } from "vitest";
import { summaryOf } from "./errors.ts";
import { MaturityError } from "./index.ts";

test("an error has code, message, details and cause", () => {
  const cause = new Error("why");
  const details = [{ path: "raw.high", message: "is required" }];
  const error = new MaturityError("invalid-raw", "raw does not fit", { details, cause });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "MaturityError", code: "invalid-raw", message: "raw does not fit", details });
  expect(error.cause).toBe(cause);
  expect(String(error)).toBe("MaturityError: raw does not fit");
});

test("without details they are empty; without cause there is none", () => {
  const error = new MaturityError("scorer-failed", "it threw");
  expect(error.details).toEqual([]);
  expect(error).not.toHaveProperty("cause");
});

test("further codes may be added by who throws them", () => {
  expect(new MaturityError<"store-unavailable">("store-unavailable", "gone").code).toBe("store-unavailable");
});

test("of very many faults the first hundred are kept, each cut", () => {
  const details = Array.from({ length: 101 }, () => ({ path: "p".repeat(200), message: "m".repeat(501) }));
  const kept = new MaturityError("invalid-raw", "raw does not fit", { details }).details;
  expect(kept).toHaveLength(100);
  expect(kept[0]).toEqual({ path: "p".repeat(200), message: `${"m".repeat(500)}…` });
});

test("a summary tells each path before its fault, if there is one", () => {
  const faults = [
    { path: "scope", message: "is required" },
    { path: "", message: "is too long" },
  ];
  expect(summaryOf(faults)).toBe("scope is required; is too long");
});
