import { checkScorecard } from "@maturity/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import * as zod from "zod";
import { anyScorecard } from "../../../test-support/scorecard-files.ts";
import { jsonSchema, readScorecardFile } from "./index.ts";

test("a file that is taken passes all checks of a package's scorecard", () => {
  fc.assert(
    fc.property(anyScorecard, fc.boolean(), (declared, isYaml) => {
      const text = isYaml ? stringify(declared) : JSON.stringify(declared);
      const { scorecard, declaration } = readScorecardFile(text, "any.yaml");
      expect(declaration).toEqual(declared);
      const cases = declared.metrics.map(({ name, cases }) => [name, Object.fromEntries(cases.entries())] as const);
      for (const { run } of checkScorecard(scorecard, Object.fromEntries(cases))) run();
    }),
    { numRuns: 15 },
  );
});

test("an editor that goes by the schema takes each file that is taken", () => {
  const schema = zod.fromJSONSchema(jsonSchema() as Parameters<typeof zod.fromJSONSchema>[0]);
  fc.assert(
    fc.property(anyScorecard, (declared) => {
      expect(schema.safeParse(declared).error).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(anyScorecard, ({ version, ...rest }) => {
      expect(schema.safeParse(rest).success).toBe(false);
    }),
    { numRuns: 5 },
  );
});
