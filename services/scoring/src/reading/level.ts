import type { AppLevel, Level, WeighedScorecard } from "@maturity/core";
import { type Lacks, lacksOf, levelFacts } from "@maturity/core/wire";
import Joi from "joi";
import type { Position } from "../lists/cursor.ts";
import { several } from "../lists/query.ts";
import { withRule } from "../model/fields.ts";
import { noLevel } from "../model/level.ts";
import { type Json, object } from "../openapi/operation.ts";
import type { LevelCount } from "../rollups/app-levels.ts";
import { excludedOf } from "../rollups/exemptions.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";

const name: Json = { type: ["string", "null"], description: "Null without a level" };
const rank: Json = { type: "integer", minimum: 0, description: "1 for the lowest level, 0 without one" };

/** The level of an application, as JSON Schema. */
export const levelSchema: Json = {
  oneOf: [
    {
      ...object({
        ...{ rank, name },
        next: {
          oneOf: [
            object({
              name: { type: "string" },
              unmet: { type: "string", description: "Its first condition that does not hold, as a sentence" },
            }),
            { type: "null" },
          ],
          description: "The level above; null for the highest",
        },
      }),
      title: "AppLevel",
    },
    { type: "null" },
  ],
  description: "The highest level whose conditions hold, with those of all below it; null if there are no levels",
};

export const levelExample: AppLevel = {
  ...{ rank: 1, name: "bronze" },
  next: { name: "silver", unmet: "silver needs share fresh 75 %, has 65 %" },
};

/** The numbers of applications by level, as JSON Schema. */
export const levelsSchema: Json = {
  type: "array",
  items: object({ rank, name, count: { type: "integer", minimum: 1 } }),
  description: "How many of its applications have which level, the lowest first; empty if there are no levels",
};

export const levelsExample: readonly LevelCount[] = [
  { rank: 0, name: null, count: 2 },
  { rank: 1, name: "bronze", count: 10 },
];

/** The parameter that filters applications by level. */
export function levelParameter(levels: readonly Level[]): Joi.ArraySchema {
  return several(oneOf([...levels.map(({ name }) => name), noLevel])).description(
    `Only those with one of these levels, such as \`silver\`; \`${noLevel}\`: without a level`,
  );
}

/** The parameter that leaves the applications below a level. */
export function belowLevelParameter(levels: readonly Level[]): Joi.StringSchema {
  return oneOf(levels.map(({ name }) => name)).description(
    "Only those below this level, such as `silver`, those without a level included",
  );
}

function oneOf(names: readonly string[]): Joi.StringSchema {
  const fault = names.length > 0 ? `must be one of ${names.join(", ")}` : "must be absent: the policy has no levels";
  return withRule(Joi.string(), (value: string) => (names.includes(value) ? undefined : fault));
}

const kinds = ["score", "fresh", "scorecard", "metric", "problems", "waived"];

/** What an application lacks for a level, as JSON Schema. */
export const lacksSchema: Json = {
  oneOf: [
    {
      ...object({
        level: { type: "string", description: "The level of `below_level`, otherwise the next one" },
        missing: { type: "number", minimum: 0, description: "The sum of what the conditions lack" },
        conditions: {
          type: "array",
          description:
            "The conditions of this level and of those below it that do not hold; of several about the same thing that which lacks most",
          items: object({
            kind: { enum: kinds },
            name: { type: ["string", "null"], description: "The scorecard or the metric, where it is about one" },
            needs: { type: "number", minimum: 0, description: "A score, a share from 0 to 1, or 0 problems" },
            has: {
              ...{ type: ["number", "null"], minimum: 0 },
              description: "What there is; null for what was never reported",
            },
            missing: {
              ...{ type: "number", minimum: 0 },
              description:
                "The points of a score, the hundredths of a share, or the number of open problems; the whole score of what was never reported",
            },
            text: { type: "string", description: "The condition as the end of a sentence" },
          }),
        },
      }),
      title: "Lacks",
    },
    { type: "null" },
  ],
  description: "With `lacks=true`: what it lacks for a level; null for the highest level, and without a score",
};

export const lacksExample: Lacks = {
  ...{ level: "silver", missing: 10 },
  conditions: [
    {
      ...{ kind: "fresh", name: null, needs: 0.75, has: 0.65, missing: 10 },
      text: "needs share fresh 75 %, has 65 %",
    },
  ],
};

/** What applications lack for a level. */
export interface LevelLacks {
  of(app: App | UnscoredApp): Lacks | null;
  /** The position of an application by how little it lacks. It stays the same function. */
  readonly positionOf: (app: App | UnscoredApp) => Position;
}

/** Makes a function that finds what applications lack for a level, or for the next one of each. */
export function createLacks(
  scorecards: readonly WeighedScorecard[],
  levels: readonly Level[],
): (level: string | undefined) => LevelLacks {
  const create = (rank: number | undefined): LevelLacks => {
    const of = (app: App | UnscoredApp) => {
      if (!app.level) return null;
      const excluded = excludedOf(scorecards, app.exemptions, app.waivers);
      const facts = levelFacts(scorecards, app.metricScores, excluded, app.problems);
      return lacksOf(app, facts, levels, rank ?? app.level.rank + 1);
    };
    return {
      of,
      positionOf(app) {
        const { conditions, missing = null } = of(app) ?? {};
        return [conditions?.length ?? null, missing, app.area, app.team, app.app, app.env ?? ""];
      },
    };
  };
  const next = create(undefined);
  const byLevel = new Map(levels.map(({ name }, index) => [name, create(index + 1)]));
  return (level) => (level === undefined ? undefined : byLevel.get(level)) ?? next;
}
