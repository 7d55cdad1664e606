import { createEngine, type Engine } from "@maturity/core";
import { describe, expect, test } from "vitest";
import { application } from "./index.ts";

describe.each([
  {
    metric: "libs_secrets",
    pass: "the standard secrets library is in use",
    fail: "the standard secrets library is not in use",
  },
  {
    metric: "libs_observability",
    pass: "the standard telemetry library is in use",
    fail: "the standard telemetry library is not in use",
  },
  {
    metric: "unique_db_user",
    pass: "the application has a database user of its own",
    fail: "the application shares its database user",
  },
  { metric: "health_check", pass: "a health endpoint is exposed", fail: "no health endpoint is exposed" },
])("$metric", ({ metric, pass, fail }) => {
  const engine: Engine = createEngine([application]);
  const score = (raw: unknown) => engine.score("application", metric, raw);

  test.each([
    { enabled: true, value: true, text: `${pass}, which scores 100; the score is 0 when ${fail}` },
    { enabled: 1, value: true, text: `${pass}, which scores 100; the score is 0 when ${fail}` },
    { enabled: false, value: false, text: `${fail}, which scores 0; the score is 100 when ${pass}` },
    { enabled: 0, value: false, text: `${fail}, which scores 0; the score is 100 when ${pass}` },
  ])("$enabled means $value: $text", ({ enabled, value, text }) => {
    const { reasons } = score({ enabled, auditor: "platform" });
    expect(reasons).toMatchObject([{ field: "enabled", value, text }]);
  });

  test("a refusal says what a flag is", () => {
    expect(() => score({ enabled: "true" })).toThrow(
      `raw does not fit application.${metric}: raw.enabled: must be true or false`,
    );
    expect(() => score({})).toThrow(`raw does not fit application.${metric}: raw.enabled: is required`);
  });
});
