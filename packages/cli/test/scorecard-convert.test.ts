import type { Engine, Scorecard } from "@maturity/core";
import * as core from "@maturity/core";
import { readScorecardFile } from "@maturity/scorecard-file";
import { sourceOf } from "@maturity/scorecard-file/source";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyScorecard, rawsOf } from "../../../test-support/scorecard-files.ts";

/** The scorecard that the module exports. */
function exportedBy(source: string, version: string): Scorecard {
  const body = source.replaceAll(/^import .*$/gm, "").replace(/^export const \w+ =/m, "return");
  const packageJson = { name: "@acme/any", version };
  return new Function(...Object.keys(core), "packageJson", body)(...Object.values(core), packageJson);
}

/** All that a scorecard says of itself, without its package. */
function described({ package: _, metrics, ...about }: Scorecard): unknown {
  const inputs = metrics.map(({ raw, score, ...metric }) => {
    const standard = raw["~standard"];
    return { ...metric, raw: "jsonSchema" in standard && standard.jsonSchema.input({ target: "draft-2020-12" }) };
  });
  return JSON.parse(JSON.stringify({ ...about, metrics: inputs }));
}

test("a file and the package that it is converted to score the same, with the same reasons", () => {
  const any = anyScorecard.chain((declared) =>
    fc.tuple(fc.constant(declared), ...declared.metrics.map((metric) => fc.array(rawsOf(metric), { maxLength: 10 }))),
  );
  fc.assert(
    fc.property(any, ([declared, ...raws]) => {
      const { scorecard } = readScorecardFile(JSON.stringify(declared), "any.yaml");
      const converted = exportedBy(sourceOf(declared)["index.js"], declared.version);
      expect(described(converted)).toEqual(described(scorecard));
      const [file, module]: Engine[] = [core.createEngine([scorecard]), core.createEngine([converted])];
      for (const [index, { name }] of declared.metrics.entries()) {
        for (const raw of [...(raws[index] ?? []), {}, { ...raws[index]?.[0], more: "1" }]) {
          const outcome = (engine: Engine | undefined) => {
            try {
              return { ...engine?.score(declared.name, name, raw), scorer: undefined };
            } catch (error) {
              return (error as core.MaturityError).details;
            }
          };
          expect(outcome(module)).toEqual(outcome(file));
        }
      }
    }),
  );
});
