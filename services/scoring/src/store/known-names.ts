import type { Knex } from "knex";
import { type AppName, appName } from "../model/app-name.ts";
import { type Alias, maxSteps, renamed } from "./names.ts";

/** What a name was at the moment at which the names were read. */
export interface KnownName {
  readonly name: AppName;
  /** The aliases that lead there, in their order. */
  readonly by: readonly Alias[];
  readonly isRetired: boolean;
}

/** All former names and all names of retired applications, as they were at one moment. */
export interface KnownNames {
  /** What became of a name; undefined if it is in use. */
  find(name: AppName): KnownName | undefined;
}

/** Those of an organisation in which nothing ever moved. */
export const noNames: KnownNames = { find: () => undefined };

interface Node {
  alias?: Alias;
  isRetired?: boolean;
  readonly below: Map<string, Node>;
}

/** Reads all of them, by one statement: half of a move would lead to a name that never was. */
export async function readNames(knex: Knex): Promise<KnownNames> {
  const { rows } = await knex.raw(`
    SELECT area, team, app, to_area, to_team, to_app FROM app_aliases
    UNION ALL
    SELECT area, team, app, NULL, NULL, NULL FROM retired_apps
  `);
  const top: Node = { below: new Map() };
  for (const row of rows) {
    const node = [row.area, row.team, row.app].filter((name) => name !== "").reduce(below, top);
    if (row.to_area === null) node.isRetired = true;
    else node.alias = row;
  }
  return rows.length === 0 ? noNames : { find: (name) => follow(top, name) };
}

function below(node: Node, name: string): Node {
  const found = node.below.get(name) ?? { below: new Map() };
  node.below.set(name, found);
  return found;
}

/** The alias of an application counts before that of its team, and that before the one of its area. */
function follow(top: Node, start: AppName): KnownName | undefined {
  const by: Alias[] = [];
  for (let name = start; by.length < maxSteps; ) {
    const area = top.below.get(name.area);
    const team = area?.below.get(name.team);
    const app = team?.below.get(name.app);
    const alias = app?.alias ?? team?.alias ?? area?.alias;
    if (!alias) {
      const isRetired = app?.isRetired === true;
      return by.length > 0 || isRetired ? { name: appName(name), by, isRetired } : undefined;
    }
    by.push(alias);
    name = renamed(name, alias);
  }
  throw new Error(`the aliases of ${start.area}/${start.team}/${start.app} do not end`);
}
