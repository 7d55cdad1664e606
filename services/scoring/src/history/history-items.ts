import { type Columns, fields } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { type Json, object } from "../openapi/operation.ts";
import { changeCauses } from "../store/score-changes.ts";

/** A change of a metric's score. */
export interface ShownChange {
  readonly at: Date;
  readonly scorecard: string;
  readonly metric: string;
  readonly score: number;
  readonly former: number | null;
  readonly scorer: string;
  readonly cause: string;
}

/** The roll-up of a day. */
export interface ShownDay {
  readonly at: Date;
  readonly score: number;
  readonly coverage: number;
  readonly fresh_coverage: number | null;
  readonly waived: number | null;
  readonly count?: number;
  readonly lowest?: number;
}

/** An item of GET /history. */
export type Shown = ShownChange | ShownDay;

const { scorecard, metric, score, coverage, fresh_coverage, time } = itemFields;

const changeSchema: Json = titled("ScoreChange", "A change of a metric's score", {
  ...{ at: time, scorecard, metric, score },
  former: { ...score, type: ["number", "null"], description: "The score before; null for the first report" },
  scorer: { type: "string", description: "The package that computed it, with its version" },
  cause: {
    enum: [...changeCauses],
    description:
      "`rules` if another scorer made it of the same result, `move` if another application was merged into this one, otherwise `report`",
  },
});

const { properties, ...daySchema } = titled("DailyRollUp", "The roll-up at the beginning of a day", {
  at: { ...time, description: "The first moment of the day" },
  ...{ score, coverage },
  fresh_coverage: {
    ...fresh_coverage,
    type: ["number", "null"],
    description: "The share of the weight that was not stale; null for a day that was written late",
  },
  waived: {
    ...itemFields.waived,
    type: ["number", "null"],
    description: "The share of the whole weight that was waived; null for a day before there were waivers",
  },
}) as { properties: Json };

const averageProperties: Json = {
  count: { type: "integer", minimum: 1, description: "How many scores it averages, of a team or an area" },
  lowest: { ...score, description: "The lowest of them" },
};

/** JSON Schema of a `Shown`. */
export const shownSchema: Json = {
  oneOf: [changeSchema, { ...daySchema, properties: { ...properties, ...averageProperties } }],
};

/** A `Shown`. */
export const shownExample: Json = {
  ...{ at: "2026-02-14T00:00:00.000Z", score: 71.4, coverage: 0.93, fresh_coverage: 0.8, waived: 0 },
  ...{ count: 12, lowest: 34.25 },
};

export const changeColumns: Columns<Shown> = fields<ShownChange, keyof ShownChange>(
  ...(["at", "scorecard", "metric", "score", "former", "scorer", "cause"] as const),
) as Columns<Shown>;

export const dayColumns: Columns<Shown> = fields<ShownDay, keyof ShownDay>(
  ...(["at", "score", "coverage", "fresh_coverage", "waived", "count", "lowest"] as const),
) as Columns<Shown>;

/** An object in which all these properties are required, with a name for those who generate code. */
function titled(title: string, description: string, properties: Json): Json {
  return { title, description, ...object(properties) };
}
