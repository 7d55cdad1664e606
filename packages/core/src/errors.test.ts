import { expect, expectTypeOf, test } from "vitest";
import { CodedError, summaryOf } from "./errors.ts";
import { type EngineErrorCode, MaturityError } from "./index.ts";

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

test("further codes are those of another class", () => {
  class StoreError extends CodedError<"store-unavailable"> {}
  const error = new StoreError("store-unavailable", "gone");
  expectTypeOf(error.code).toEqualTypeOf<"store-unavailable">();
  expect(error).toMatchObject({ code: "store-unavailable", message: "gone", details: [] });
  expect(error).not.toBeInstanceOf(MaturityError);
});

test("instanceof narrows an error to the codes that there are", () => {
  const meaning = (error: unknown): string => {
    if (!(error instanceof MaturityError)) return "another error";
    expectTypeOf(error.code).toEqualTypeOf<EngineErrorCode>();
    switch (error.code) {
      case "invalid-raw":
        return "it does not fit";
      // @ts-expect-error: there is no such code
      case "no-such-code":
        return "";
      default:
        return error.code;
    }
  };
  expect(meaning(new MaturityError("invalid-raw", "raw does not fit"))).toBe("it does not fit");
  expect(meaning(new MaturityError("scorer-failed", "it threw"))).toBe("scorer-failed");
  expect(meaning(new Error("gone"))).toBe("another error");
});

test("of very many faults the first hundred are kept, each cut", () => {
  const details = Array.from({ length: 101 }, () => ({ path: "p".repeat(200), message: "m".repeat(501) }));
  const listed = new MaturityError("invalid-raw", "raw does not fit", { details }).details;
  expect(listed).toHaveLength(100);
  expect(listed[0]).toEqual({ path: "p".repeat(200), message: `${"m".repeat(500)}…` });
});

test("a summary shows each path before its fault, if there is one", () => {
  const faults = [
    { path: "scope", message: "is required" },
    { path: "", message: "is too long" },
  ];
  expect(summaryOf(faults)).toBe("scope is required; is too long");
});
