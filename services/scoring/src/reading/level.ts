import type { AppLevel, Level } from "@maturity/core";
import Joi from "joi";
import { several } from "../lists/query.ts";
import { noLevel } from "../model/level.ts";
import { type Json, object } from "../openapi/operation.ts";
import type { LevelCount } from "../rollups/app-levels.ts";

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
  next: { name: "silver", unmet: "silver needs share fresh 0.75, has 0.65" },
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
  const names = [...levels.map(({ name }) => name), noLevel];
  const known = Joi.string().custom((value: string, { message }) =>
    names.includes(value) ? value : message({ custom: "{{#fault}}" }, { fault: `must be one of ${names.join(", ")}` }),
  );
  return several(known).description(
    `Only those with one of these levels, such as \`silver\`; \`${noLevel}\`: without a level`,
  );
}

/** Whether an application has one of these levels; true if they are absent. */
export function hasLevel(level: AppLevel | null, names: readonly string[] | undefined): boolean {
  return names === undefined || names.includes(level?.name ?? noLevel);
}
