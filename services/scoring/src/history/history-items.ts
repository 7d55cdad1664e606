import { type Columns, columnsOf } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { type Json, object } from "../openapi/operation.ts";
import { changeCauses } from "../store/score-changes.ts";

const { scorecard, metric, score, reported, fresh, time } = itemFields;

const changeSchema: Json = object({
  ...{ at: time, scorecard, metric, score },
  former: { ...score, type: ["number", "null"], description: "The score before; null for the first report" },
  scorer: { type: "string", description: "The package that computed it, with its version" },
  cause: {
    enum: [...changeCauses],
    description:
      "`rules` if another scorer made it of the same result, `move` if another application was merged into this one, `backfill` if it was measured before the latest result, otherwise `report`",
  },
});

const daySchema: Json = object(
  {
    at: { ...time, description: "The first moment of the day" },
    ...{ score, reported },
    fresh: {
      ...fresh,
      type: ["number", "null"],
      description: "The share of the weight that was not stale; null for a day that was written late",
    },
    waived: {
      ...itemFields.waived,
      type: ["number", "null"],
      description: "The share of the whole weight that was waived; null for a day before there were waivers",
    },
    exempt: {
      ...itemFields.exempt,
      type: ["number", "null"],
      description: "The share of the whole weight that the policy exempted; null for an imported day without it",
    },
  },
  {
    count: {
      type: "integer",
      minimum: 1,
      description: "How many scores it averages, of a team, an area or the organisation",
    },
    lowest: { ...score, description: "The lowest of them" },
  },
);

/** JSON Schema of an item of GET /history, with titles for generated code. */
export const shownSchema: Json = {
  oneOf: [
    { title: "ScoreChange", description: "A change of a metric's score", ...changeSchema },
    { title: "DailyRollUp", description: "The roll-up at the beginning of a day", ...daySchema },
  ],
};

/** An item of GET /history. */
export const shownExample: Json = {
  ...{ at: "2026-02-14T00:00:00.000Z", score: 71.4, reported: 0.93, fresh: 0.8, waived: 0, exempt: 0 },
  ...{ count: 12, lowest: 34.25 },
};

export const changeColumns: Columns<Json> = columnsOf(changeSchema);

export const dayColumns: Columns<Json> = columnsOf(daySchema, true);
