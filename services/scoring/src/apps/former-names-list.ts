import type { ServerRoute } from "@hapi/hapi";
import type { Columns } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { targetFilter } from "../lists/query.ts";
import { conjunction, isOneOf, type Order, type Term, tableRoute, within } from "../lists/table.ts";
import { narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { object, textOrNull, timeOrNull } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";

/** A name of an area, a team or an application; null where it has no such part. */
interface PartialName {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
}

/** A former name of GET /former-names. */
interface ShownFormerName extends PartialName {
  readonly moved_to: PartialName;
  readonly moved_at: Date;
  readonly used_at: Date | null;
}

interface FormerNameQuery extends Omit<TargetFilter, "env"> {
  readonly former_area?: readonly string[];
  readonly former_team?: readonly string[];
  readonly former_app?: readonly string[];
}

const order: Order = [
  ["area", "text"],
  ["team", "text"],
  ["app", "text"],
];

const { area, time } = itemFields;
const name = { area, team: textOrNull, app: textOrNull };

const columns: Columns<ShownFormerName> = {
  ...{ area: ({ area }) => area, team: ({ team }) => team, app: ({ app }) => app },
  moved_to_area: ({ moved_to }) => moved_to.area,
  moved_to_team: ({ moved_to }) => moved_to.team,
  moved_to_app: ({ moved_to }) => moved_to.app,
  ...{ moved_at: ({ moved_at }) => moved_at, used_at: ({ used_at }) => used_at },
};

/** GET /former-names */
export function formerNamesRoute(database: Database): ServerRoute {
  const { env: _, ...filters } = targetFilter;
  return tableRoute<FormerNameQuery, ShownFormerName>(database, {
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
      schema: object({
        ...name,
        moved_to: object(name),
        moved_at: time,
        used_at: {
          ...timeOrNull,
          description: "When something was last reported or registered under this name, to a minute; null if never",
        },
      }),
      example: {
        ...{ area: "shop", team: "checkout", app: "cart" },
        moved_to: { area: "shop", team: "checkout", app: "basket" },
        ...{ moved_at: "2026-02-11T08:15:00.000Z", used_at: "2026-03-01T11:59:00.000Z" },
      },
    },
    columns: () => columns,
    select: ({ former_area, former_team, former_app, ...filter }, grant) => ({
      from: ["former_names"],
      where: [
        ...leadsTo(narrow(grant, filter)),
        ...isOneOf("area", former_area),
        ...isAllOr("team", former_team),
        ...isAllOr("app", former_app),
      ],
      order,
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
function leadsTo(filter: Omit<TargetFilter, "env">): Term[] {
  const terms = within(filter, (field) => `to_${field}`);
  if (terms.length === 0) return [];
  const itself = conjunction(terms);
  const each = conjunction(within(filter, (field) => `each.${field}`));
  const sql = `(${itself.sql}) OR EXISTS (
    SELECT FROM applications AS each
    WHERE each.area = to_area AND to_team IN ('', each.team) AND to_app IN ('', each.app) AND ${each.sql}
  )`;
  return [[sql, ...itself.values, ...each.values]];
}

/**
 * A filter that also matches former names of whole groups: the former name of a team is one of each of its applications
 * too.
 */
function isAllOr(column: "team" | "app", values: readonly string[] | undefined): Term[] {
  return values ? [[`${column} = '' OR ${column} = ANY(?::text[])`, values]] : [];
}
