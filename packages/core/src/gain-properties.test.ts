import fc from "fast-check";
import { expect, test } from "vitest";
import { anyOrganisation, readAt } from "../../../test-support/organisations.ts";
import { applicationsOf, byDefinition, isOf } from "../test/definition.ts";
import { gainOf } from "../test/scorecards.ts";
import { createEngine } from "./index.ts";

test("whatever is reported, waived and exempt, a gain is what the definition gives with 100, a missing share what it gives with one report more", () => {
  fc.assert(
    fc.property(anyOrganisation, (organisation) => {
      const { scorecards, scores } = organisation;
      const engine = createEngine(scorecards);
      const names = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => [name, metric.name] as const));
      for (const { id, target, scores: own, excluded } of applicationsOf(organisation)) {
        const alone = scores.filter((one) => isOf(one, target));
        const now = byDefinition({ ...organisation, scores: alone });
        const raws = own.map((one) => one && { ...one, raw: { score: one.score } });
        const { metrics, missing } = gainOf(engine, raws, readAt, excluded);
        const expected = names.flatMap(([scorecard, metric], index) => {
          const one = own[index];
          if (excluded[index] || one?.score === 100) return [];
          const best = { ...target, scorecard, metric, score: 100, reported_at: readAt, ...one };
          const then = byDefinition({
            ...organisation,
            scores: [...alone.filter((other) => other !== one), { ...best, score: 100 }],
          });
          const rise = (key: string, index: number) =>
            (then.get(key)?.[index] ?? Number.NaN) - (now.get(key)?.[index] ?? 0);
          const gains = one
            ? {
                score: one.score,
                appGain: close(rise(`app,${id}`, 0)),
                scorecardGain: close(rise(`scorecard,${id},${scorecard}`, 0)),
              }
            : { reported: close(rise(`app,${id}`, 1)) };
          return [{ scorecard, metric, ...gains }];
        });
        const found = [...metrics.map(({ steps: _, together: __, ...rest }) => rest), ...missing];
        expect(found).toHaveLength(expected.length);
        expect(found).toEqual(expect.arrayContaining(expected));
        for (const list of [metrics.map((one) => one.appGain), missing.map((one) => one.reported)]) {
          expect(list).toEqual(list.toSorted((a, b) => b - a));
        }
      }
    }),
    { numRuns: 40 },
  );
});

function close(value: number): unknown {
  return expect.closeTo(value, 9);
}
