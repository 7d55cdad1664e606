import type { ServerRoute } from "@hapi/hapi";
import type { Columns } from "../lists/csv.ts";
import { itemFields } from "../lists/items.ts";
import { listRoute } from "../lists/list.ts";
import { targetFilter } from "../lists/query.ts";
import { isInAny, isOneOf, type Order, readPage, type Term } from "../lists/table.ts";
import { type Bounded, type Bounds, isWithin, narrow } from "../model/grant.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { object, textOrNull } from "../openapi/operation.ts";
import type { Database } from "../store/database.ts";

/** A name of an area, a team or an application; null where it has no such part. */
interface PartialName {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
}

/** A former name of GET /former-names. */
interface FormerName extends PartialName {
  readonly moved_to: PartialName;
  readonly moved_at: Date;
  readonly used_at: Date | null;
}

/** A former name for a caller, to whom a present name beyond the bounds is null. */
type ShownFormerName = Omit<FormerName, "moved_to"> & { readonly moved_to: PartialName | null };

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
  moved_to_area: ({ moved_to }) => moved_to?.area,
  moved_to_team: ({ moved_to }) => moved_to?.team,
  moved_to_app: ({ moved_to }) => moved_to?.app,
  ...{ moved_at: ({ moved_at }) => moved_at, used_at: ({ used_at }) => used_at },
};

/** GET /former-names */
export function formerNamesRoute(database: Database): ServerRoute {
  const { env: _, ...filters } = targetFilter;
  return listRoute<FormerNameQuery, ShownFormerName>({
    path: "/former-names",
    operationId: "listFormerNames",
    summary: "The former names of areas, teams and applications, and what they are called now",
    parameters: {
      area: filters.area.description("Only what is in these areas now"),
      team: filters.team.description("Only what is in these teams now"),
      app: filters.app.description("Only what these apps were called"),
      former_area: filters.area.description("Only names that these areas, or what was in them, had before"),
      former_team: filters.team.description("Only names that these teams had before, be it by their area"),
      former_app: filters.app.description("Only names that these apps had before, be it by their team or area"),
    },
    item: {
      name: "FormerName",
      schema: object({
        ...name,
        moved_to: {
          ...{ ...object(name), ...{ type: ["object", "null"] } },
          description:
            "The present name; null if it is beyond the bounds of the caller, and the former one within them",
        },
        moved_at: time,
        used_at: {
          ...{ ...time, ...textOrNull },
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
    async read({ former_area, former_team, former_app, ...filter }, grant, paging) {
      narrow(grant, filter); // refuses a name beyond the bounds
      const { area, team, app } = filter;
      // A filter by the present name must not show a caller what lies beyond the bounds.
      const isNamed = (area ?? team ?? app) !== undefined;
      const page = await readPage<FormerName>(
        database,
        {
          from: ["former_names"],
          where: [
            ...isOneOf("to_area", area),
            ...isOneOf("to_team", team),
            ...isOneOf("to_app", app),
            either([...isNowIn(grant), ...(isNamed ? [] : grant.parts.flatMap(({ bounds }) => wasIn(bounds)))]),
            ...isOneOf("area", former_area),
            ...isAllOr("team", former_team),
            ...isAllOr("app", former_app),
          ],
          order,
          columns: `area, nullif(team, '') AS team, nullif(app, '') AS app,
              json_build_object('area', to_area, 'team', nullif(to_team, ''), 'app', nullif(to_app, '')) AS moved_to,
              moved_at, used_at`,
        },
        paging,
      );
      const shown = page.items.map((one) => (isWithin(grant, one.moved_to) ? one : { ...one, moved_to: null }));
      return { ...page, items: shown };
    },
  });
}

/** What is called now by a name within the bounds. */
function isNowIn({ parts }: Bounded): Term[] {
  return isInAny(
    parts.map(({ bounds }) => bounds),
    (field) => `to_${field} = ?::text`,
  );
}

/** What had a name within the bounds. Of an application it is also what its team or area had, which took it along. */
function wasIn(bounds: Bounds): Term[] {
  const { area, team, app } = bounds;
  const isWhole = area !== undefined && (team !== undefined || app === undefined);
  return isInAny([bounds], (field) =>
    isWhole && field !== "area" ? `${field} IN ('', ?::text)` : `${field} = ?::text`,
  );
}

/** One of these conditions. */
function either(terms: readonly Term[]): Term {
  return [terms.map(([sql]) => `(${sql})`).join(" OR "), ...terms.flatMap(([, ...values]) => values)];
}

/**
 * A filter that also matches former names of whole groups: the former name of a team is one of each of its applications
 * too.
 */
function isAllOr(column: "team" | "app", values: readonly string[] | undefined): Term[] {
  return values ? [[`${column} = '' OR ${column} = ANY(?::text[])`, values]] : [];
}
