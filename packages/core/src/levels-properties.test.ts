import fc from "fast-check";
import { expect, test } from "vitest";
import { anyLevels, anyOrganisation, type Organisation, readAt } from "../../../test-support/organisations.ts";
import { type Application, applicationsOf, byDefinition, isExcluded, isOf, type Values } from "../test/definition.ts";
import type { Level, Target } from "./index.ts";
import { roundHalfUp } from "./rounding.ts";
import { conditionsOf as conditionTexts, lacksOf, levelFacts, levelOf, rollUpInOrder, severities } from "./wire.ts";

/** How many problems of an application are open, by severity. */
function openProblems({ problems }: Organisation, target: Target) {
  const own = problems.filter((one) => isOf(one, target));
  const count = (severity: string) =>
    own.filter((one) => one.severity === severity).reduce((sum, one) => sum + one.count, 0);
  return {
    ...{ critical: count("critical"), high: count("high"), medium: count("medium") },
    ...{ low: count("low"), info: count("info") },
  };
}

/** The conditions of a level in their order: what each asks for, in words, and whether it holds. */
function conditionsOf(organisation: Organisation, { id, target }: Application, values: ReadonlyMap<string, Values>) {
  const [score = Number.NaN, , fresh = Number.NaN, waived = Number.NaN] = values.get(`app,${id}`) ?? [];
  const open = openProblems(organisation, target);
  const isAtLeast = (value: number, bound: number) => value >= bound - 1e-9;
  return function* (level: Level): Generator<readonly [asked: string, holds: boolean]> {
    if (level.minScore !== undefined) yield [`score ${level.minScore}`, isAtLeast(score, level.minScore)];
    const { minFresh, maxWaived, noOpenProblems } = level;
    if (minFresh !== undefined) yield [`share fresh ${roundHalfUp(minFresh * 100)} %`, isAtLeast(fresh, minFresh)];
    for (const [card, minimum] of Object.entries(level.scorecards ?? {})) {
      const own = values.get(`scorecard,${id},${card}`)?.[0];
      yield [
        `${card} ${minimum}`,
        own === undefined ? isExcluded(organisation, target, card) : isAtLeast(own, minimum),
      ];
    }
    for (const [name, minimum] of Object.entries(level.metrics ?? {})) {
      const [card = "", metric = ""] = name.split(".");
      const isRegistered = organisation.scorecards.some(
        (one) => one.name === card && one.metrics.some((other) => other.name === metric),
      );
      const own = organisation.scores.find(
        (one) => isOf(one, target) && one.scorecard === card && one.metric === metric,
      );
      const counts = isRegistered && own !== undefined && isAtLeast(own.score, minimum);
      yield [`${name} ${minimum}`, counts || (isRegistered && isExcluded(organisation, target, card, metric))];
    }
    if (noOpenProblems !== undefined) {
      const graver = severities.slice(0, severities.indexOf(noOpenProblems) + 1);
      yield [`no open problem that is ${graver.join(" or ")}`, graver.every((severity) => open[severity] === 0)];
    }
    if (maxWaived !== undefined) yield [`at most ${roundHalfUp(maxWaived * 100)} % waived`, waived <= maxWaived + 1e-9];
  };
}

test("each application has the level that its definition gives, and what it lacks for the next is the first it lacks", () => {
  fc.assert(
    fc.property(anyOrganisation, anyLevels, (organisation, levels) => {
      const values = byDefinition(organisation);
      for (const application of applicationsOf(organisation)) {
        const { id, target, scores, excluded } = application;
        const rolled = rollUpInOrder(organisation.scorecards, scores, readAt, excluded);
        expect(rolled !== undefined).toBe(values.has(`app,${id}`));
        if (!rolled) continue;
        const facts = levelFacts(organisation.scorecards, scores, excluded, openProblems(organisation, target));
        const conditions = conditionsOf(organisation, application, values);
        const lacks = levels.map((level) => [...conditions(level)].find(([, holds]) => !holds)?.[0]);
        const first = lacks.findIndex((asked) => asked !== undefined);
        const rank = first === -1 ? levels.length : first;
        for (const [index, level] of levels.entries()) {
          const wanted = levels.slice(0, index + 1).flatMap((one) => [...conditions(one)]);
          const failing = wanted.filter(([, holds]) => !holds).map(([asked]) => asked);
          const lacking = lacksOf(rolled, facts, levels, index + 1);
          const asked =
            lacking?.conditions.map(({ text }) => text.slice("needs ".length).replace(/, has .*/, "")) ?? [];
          expect(lacking?.level).toBe(level.name);
          expect(asked.length > 0).toBe(failing.length > 0);
          expect(failing).toEqual(expect.arrayContaining(asked));
          expect([...conditions(level)].map(([one]) => one)).toEqual(conditionTexts(level));
          const subjectOf = (text: string) =>
            text.replace(/ [\d.e-]+( %)?( waived)?$/, "").replace(/^no open .*/, "problems");
          expect(new Set(asked.map(subjectOf))).toEqual(new Set(failing.map(subjectOf)));
          expect(new Set(asked.map(subjectOf)).size).toBe(asked.length);
          const sum = lacking?.conditions.reduce((total, { missing }) => total + missing, 0);
          expect(lacking?.missing).toBe(sum);
          for (const { needs, has, missing, kind } of lacking?.conditions ?? []) {
            const scale = kind === "fresh" || kind === "waived" ? 100 : 1;
            expect(missing).toBeCloseTo(Math.abs(needs - (has ?? 0)) * scale, 9);
          }
        }
        expect(levelOf(rolled, facts, levels)).toEqual({
          rank,
          name: levels[rank - 1]?.name ?? null,
          next:
            first === -1
              ? null
              : {
                  name: levels[first]?.name,
                  unmet: expect.stringMatching(new RegExp(`^${levels[first]?.name} needs ${lacks[first]}, has `)),
                },
        });
      }
    }),
  );
});
