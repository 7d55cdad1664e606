import { maxFaults } from "@maturity/core/wire";
import type { Knex } from "knex";
import sql, { raw, type Sql } from "sql-template-tag";
import { type AppName, appName, type Subtree, shownName } from "../model/app-name.ts";
import { ServiceError } from "../model/errors.ts";
import type { Bounded } from "../model/grant.ts";
import { insteadOf, maxNear } from "../model/near-name.ts";
import { conjunction, inSubtree, isInAny } from "./conditions.ts";
import { query } from "./sql.ts";

/** A condition on `applications`: those that a name may mean. */
const known: Readonly<Record<"registered" | "shown", Sql>> = {
  registered: raw("registered_at IS NOT NULL AND retired_at IS NULL"),
  shown: sql`retired_at IS NULL AND held_since IS NULL`,
};

/** A name that nothing has. */
export interface UnknownName {
  /** The first part of it that nothing has. */
  readonly field: "area" | "team" | "app";
  /** Such as `there is no team "chekout" in shop; did you mean "checkout"?`. */
  readonly message: string;
}

/**
 * Says which part of a name nothing within the bounds of the caller has, and which names there are in its place; undefined if
 * something has the name.
 *
 * @param among the applications that count: the registered ones, or those that are shown
 * @param reach the bounds of the caller, who learns nothing of applications outside of them
 */
export async function findUnknownName(
  knex: Knex,
  { area, team, app }: Subtree,
  among: "registered" | "shown",
  reach: Bounded,
): Promise<UnknownName | undefined> {
  const [isReached = sql`false`] = isInAny(reach.parts.map(({ bounds }) => bounds));
  const select = async (what: string, name: Subtree | undefined, end: string): Promise<string[]> => {
    const conditions = [known[among], isReached, ...(name ? [inSubtree(name)] : [])];
    const rows = await query(knex)`
      SELECT ${raw(what)} AS name FROM applications WHERE ${conjunction(conditions)} ${raw(end)}
    `;
    return rows.map((row: { name: string }) => row.name);
  };
  let above: Subtree | undefined;
  for (const [field, name] of Object.entries({ area, team, app }) as [UnknownName["field"], string | undefined][]) {
    if (name === undefined || name === "") return undefined;
    const withName = (last: string) => ({ ...above, [field]: last }) as Subtree;
    if ((await select(field, withName(name), "LIMIT 1")).length === 0) {
      const names = await select(`DISTINCT ${field}`, above, "ORDER BY 1");
      const place = above ? ` in ${shownName(above)}` : "";
      const what = field === "app" ? "application" : field;
      return { field, message: `there is no ${what} ${JSON.stringify(name)}${place}${insteadOf(name, names)}` };
    }
    above = withName(name);
  }
  return undefined;
}

/**
 * Says that nothing was reported of an environment of a name; undefined if something was, or if nothing was reported of any of
 * its environments: no environment is registered, so before the first report each may be right.
 *
 * @param name what it is an environment of; a caller that may name it may learn its environments
 */
export async function findUnknownEnv(knex: Knex, name: Subtree, env: string): Promise<string | undefined> {
  const rows = await query(knex)`
    SELECT DISTINCT env FROM targets JOIN applications ON applications.id = application_id
    WHERE targets.retired_at IS NULL AND ${inSubtree(name, "applications.")} ORDER BY env
  `;
  const names = rows.map((row: { env: string }) => row.env);
  if (names.length === 0 || names.includes(env)) return undefined;
  return `nothing was reported of the environment ${JSON.stringify(env)}${insteadOf(env, names)}`;
}

/** The error for submissions of applications that nobody registered. */
export async function appUnregistered(
  knex: Knex,
  names: readonly { readonly name: AppName; readonly path: string }[],
  reach: Bounded,
): Promise<ServiceError> {
  const near = new Map<string, UnknownName | undefined>();
  const details: { path: string; message: string }[] = [];
  for (const { name, path } of names.slice(0, maxFaults)) {
    const shown = shownName(appName(name));
    if (!near.has(shown) && near.size < maxNear)
      near.set(shown, await findUnknownName(knex, appName(name), "registered", reach));
    const found = near.get(shown);
    const message = `${shown} is not registered${found ? `: ${found.message}` : ""}`;
    details.push({ path: found ? path.replace(/app$/, found.field) : path, message });
  }
  const first = details[0]?.message ?? "";
  return new ServiceError(
    "app-unregistered",
    `${first}${first.endsWith("?") ? "" : "; maturity app register registers it"}`,
    {
      details,
    },
  );
}
