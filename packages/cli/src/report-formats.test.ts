import { formats } from "@maturity/reports";
import { expect, test } from "vitest";
import { formatNames } from "./report-formats.ts";

test("the formats that can be named are those there are", () => {
  expect(formatNames).toEqual(formats.map(({ name }) => name).sort());
});
