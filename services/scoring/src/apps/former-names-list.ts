import type { ServerRoute } from "@hapi/hapi";
import sql, { type Sql } from "sql-template-tag";
import { nestedColumnsOf } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { targetFilter } from "../lists/query.ts";
import { byNames, tableRoute } from "../lists/table.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { type Json, object, textOrNull, timeOrNull } from "../openapi/operation.ts";
import { conjunction, type Has, isOneOf, within } from "../store/conditions.ts";
import type { Database } from "../store/database.ts";

interface FormerNameQuery extends Omit<TargetFilter, "env"> {
  readonly former_area?: readonly string[];
  readonly former_team?: readonly string[];
  readonly former_app?: readonly string[];
}

const { area, time } = itemFields;
const name = { area, team: textOrNull, app: textOrNull };

const schema = object({
  ...name,
  moved_to: object(name),
  moved_at: time,
  used_at: {
    ...timeOrNull,
    description: "When something was last reported or registered under this name, to a minute; null if never",
  },
});

/** GET /former-names */
export function formerNamesRoute(database: Database): ServerRoute {
  const { env: _, ...filters } = targetFilter;
  return tableRoute<FormerNameQuery, Json>(database, {
    path: "/former-names",
    operationId: "listFormerNames",
    summary: "The former names of areas, teams and applications, and what they are called now",
    parameters: {
      area: filters.area.description("Only what is in these areas now"),
      team: filters.team.description("Only what is in these teams now, also by a former name of their area"),
      app: filters.app.description("Only what these apps were called, also by a former name of their team or area"),
      former_area: filters.area.description("Only names that these areas, or what was in them, had before"),
      former_team: filters.team.description("Only names that these teams had before, be it by their area"),
      former_app: filters.app.description("Only names that these apps had before, be it by their team or area"),
    },
    item: {
      name: "FormerName",
      schema,
      example: {
        ...{ area: "shop", team: "checkout", app: "cart" },
        moved_to: { area: "shop", team: "checkout", app: "basket" },
        ...{ moved_at: "2026-02-11T08:15:00.000Z", used_at: "2026-03-01T11:59:00.000Z" },
      },
    },
    columns: () => nestedColumnsOf(schema),
    select: ({ former_area, former_team, former_app, ...filter }, grant) => ({
      from: sql`former_names`,
      where: [
        ...leadsTo(narrow(grant, filter)),
        ...isOneOf({ area: former_area }),
        ...isOneOf({ team: former_team, app: former_app }, isAllOr),
      ],
      order: byNames("area", "team", "app"),
      columns: `area, nullif(team, '') AS team, nullif(app, '') AS app,
              json_build_object('area', to_area, 'team', nullif(to_team, ''), 'app', nullif(to_app, '')) AS moved_to,
              moved_at, used_at`,
    }),
  });
}

/**
 * The condition that a former name leads to what matches. That of an area or a team leads to each application there, so
 * that a caller bound to a team learns what its area is called now.
 */
function leadsTo(filter: Omit<TargetFilter, "env">): Sql[] {
  const itself = within(filter, (field, value) => sql`to_${field} = ${value}`);
  if (itself.length === 0) return [];
  const each = within(filter, (field, value) => sql`each.${field} = ${value}`);
  return [
    sql`(${conjunction(itself)}) OR EXISTS (
      SELECT FROM applications AS each
      WHERE each.area = to_area AND to_team IN ('', each.team) AND to_app IN ('', each.app) AND ${conjunction(each)}
    )`,
  ];
}

/**
 * SQL that a former name, or that of the whole group, has a value: the former name of a team is one of each of its
 * applications too.
 */
const isAllOr: Has = (column, value) => sql`(${column} = '' OR ${column} = ${value})`;
