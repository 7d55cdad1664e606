import type { ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { type Columns, fields } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute, type Page } from "../lists/list.ts";
import { during, type Period, periodFaults, periodParameters } from "../lists/period.ts";
import type { Streams } from "../lists/streams.ts";
import { isPositionIn, type Order, readPage, type Selection, type Term } from "../lists/table.ts";
import { invalidPayload } from "../model/errors.ts";
import { name } from "../model/fields.ts";
import { requireWithin } from "../model/grant.ts";
import { type Json, object } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";
import { keyOf } from "../store/key.ts";
import { targetKey } from "../store/roll-up-days.ts";
import { changeCauses } from "../store/score-changes.ts";

interface HistoryQuery extends Period {
  readonly area: string;
  readonly team?: string;
  readonly app?: string;
  readonly env: string;
  readonly scorecard?: string;
  readonly metric?: string;
}

/** A change of a metric's score. */
interface ShownChange {
  readonly at: Date;
  readonly score: number;
  readonly former: number | null;
  readonly scorer: string;
  readonly cause: string;
}

/** The roll-up of a day. */
interface ShownDay {
  readonly at: Date;
  readonly score: number;
  readonly coverage: number;
  readonly fresh_coverage: number | null;
  readonly count?: number;
  readonly lowest?: number;
}

type Shown = ShownChange | ShownDay;

const { score, coverage, fresh_coverage, time } = itemFields;

const changeSchema: Json = titled("ScoreChange", "A change of a metric's score", {
  at: time,
  score,
  former: { ...score, type: ["number", "null"], description: "The score before; null for the first report" },
  scorer: { type: "string", description: "The package that computed it, with its version" },
  cause: {
    enum: [...changeCauses],
    description: "`rules` if another scorer made it of the same result, otherwise `report`",
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
}) as { properties: Json };

const averageProperties: Json = {
  count: { type: "integer", minimum: 1, description: "How many scores it averages, of a team or an area" },
  lowest: { ...score, description: "The lowest of them" },
};

const schema: Json = {
  oneOf: [changeSchema, { ...daySchema, properties: { ...properties, ...averageProperties } }],
};

const example: Json = {
  ...{ at: "2026-02-14T00:00:00.000Z", score: 71.4, coverage: 0.93, fresh_coverage: 0.8 },
  ...{ count: 12, lowest: 34.25 },
};

const changeColumns: Columns<Shown> = fields<ShownChange, keyof ShownChange>(
  ...(["at", "score", "former", "scorer", "cause"] as const),
) as Columns<Shown>;

const dayColumns: Columns<Shown> = fields<ShownDay, keyof ShownDay>(
  ...(["at", "score", "coverage", "fresh_coverage", "count", "lowest"] as const),
) as Columns<Shown>;

/** An object in which all these properties are required, with a name for those who generate code. */
function titled(title: string, description: string, properties: Json): Json {
  return { title, description, ...object(properties) };
}

/** Whole numbers, since a cursor holds them. */
const changeOrder: Order = [["(extract(epoch FROM at) * 1000000)::bigint", "bigint"]];
const dayOrder: Order = [["(extract(epoch FROM at) * 1000)::bigint", "bigint"]];

/** GET /history */
export function historyRoute(
  { database, historyDays }: { database: Database; historyDays: number },
  streams: Streams,
): ServerRoute {
  return listRoute<HistoryQuery, Shown>(
    {
      path: "/history",
      operationId: "listHistory",
      summary: "The changes of one metric's score, or the daily roll-ups of one application, team or area",
      parameters: {
        area: name(200).required().description("The area"),
        team: name(200).description("The team; without it the roll-ups are those of the area"),
        app: name(200).description("The application; without it the roll-ups are those of the team or the area"),
        env: name(200).required().description("The environment"),
        scorecard: Joi.string().max(200).description("The scorecard; together with `metric`"),
        metric: Joi.string().max(200).description("The metric whose changes are wanted, instead of roll-ups"),
        ...periodParameters,
      },
      check,
      item: { name: "HistoryEntry", schema, example },
      columns: ({ metric }) => (metric === undefined ? dayColumns : changeColumns),
      isPosition: (position, { metric }) => isPositionIn(metric === undefined ? dayOrder : changeOrder)(position),
      async read(query, grant, paging) {
        const { area, team = "", app = "" } = query;
        requireWithin(grant, { area, team, app });
        const isKept: Term[] = historyDays === 0 ? [["false"]] : [];
        const read = (selection: Selection) =>
          readPage<Shown>(database, { ...selection, where: [...selection.where, ...during(query), ...isKept] }, paging);
        return query.metric === undefined ? shown(await read(days(query))) : shown(await read(changes(query)));
      },
    },
    streams,
  );
}

/** @throws ServiceError `invalid-payload` */
function check({ team, app, scorecard, metric, ...period }: HistoryQuery): void {
  const ofMetric = { team, app, scorecard, metric };
  const needed =
    scorecard !== undefined || metric !== undefined ? Object.keys(ofMetric) : app === undefined ? [] : ["team"];
  const missing = needed.filter((field) => ofMetric[field as keyof typeof ofMetric] === undefined);
  const faults = missing.map((path) => ({
    path,
    message:
      path === "team" && needed.length === 1 ? "is required with app" : "is required for the history of a metric",
  }));
  faults.push(...periodFaults(period));
  if (faults.length > 0) throw invalidPayload(faults);
}

function changes({ area, team = "", app = "", env, scorecard = "", metric = "" }: HistoryQuery): Selection {
  return {
    from: [
      `(SELECT score_changes.* FROM score_changes JOIN scores ON id = score_id WHERE area = ?::text AND key = ?::text::bytea)
        AS changes`,
      ...[area, keyOf([team, app, env, scorecard, metric])],
    ],
    where: [],
    order: changeOrder,
    columns: "at, score::float8 AS score, former::float8 AS former, scorer, cause",
  };
}

function days({ area, team, app, env }: HistoryQuery): Selection {
  return {
    from: [
      `(SELECT roll_up_days.*, day::timestamp AT TIME ZONE 'UTC' AS at
        FROM roll_up_days JOIN roll_up_targets ON id = target_id
        WHERE area = ?::text AND key = ?::text::bytea) AS days`,
      ...[area, targetKey({ area, team, app, env })],
    ],
    where: [],
    order: dayOrder,
    columns: "at, score, coverage, fresh_coverage, count, lowest",
  };
}

/** An application has no `count` and no `lowest`. */
function shown(page: Page<Shown>): Page<Shown> {
  const withoutNull = (item: Shown) =>
    Object.fromEntries(
      Object.entries(item).filter(([field, value]) => value !== null || (field !== "count" && field !== "lowest")),
    ) as unknown as Shown;
  return { ...page, items: page.items.map(withoutNull) };
}
