import { maxFaults } from "@maturity/core/wire";
import type { Knex } from "knex";
import { type AppName, appName, type Subtree, shownName } from "../model/app-name.ts";
import { ServiceError } from "../model/errors.ts";
import { type Bounded, isWithin } from "../model/grant.ts";
import { nearName } from "../model/near-name.ts";
import { isUsed } from "./moving/applications.ts";

/** SQL of a condition on `applications`: those that a name may mean. */
const known: Readonly<Record<"registered" | "shown", string>> = {
  registered: "registered_at IS NOT NULL AND retired_at IS NULL",
  shown: `retired_at IS NULL AND held_since IS NULL AND ${isUsed("applications")}`,
};

/** A name that nothing has. */
export interface UnknownName {
  /** The first part of it that nothing has. */
  readonly field: "area" | "team" | "app";
  /** The nearest name that something has in its place, if any is near. */
  readonly near: string | undefined;
  /** Such as `there is no team "chekout" in shop; did you mean "checkout"?`. */
  readonly message: string;
}

/**
 * Says which part of a name nothing has, with the nearest name in its place; undefined if something has the name.
 *
 * @param among the applications that count: the registered ones, or those that are shown
 * @param reach the bounds of the caller, who learns no name outside of them
 */
export async function findUnknownName(
  knex: Knex,
  { area, team, app }: Subtree,
  among: "registered" | "shown",
  reach: Bounded,
): Promise<UnknownName | undefined> {
  const parts = [
    ["area", area],
    ["team", team],
    ["app", app],
  ] as const;
  const above: (readonly [field: string, name: string])[] = [];
  for (const [field, name] of parts) {
    if (name === undefined || name === "") return undefined;
    const within = above.map(([column]) => `AND ${column} = ?::text`);
    const { rows } = await knex.raw(
      `SELECT DISTINCT ${field} AS name FROM applications WHERE ${known[among]} ${within.join(" ")}`,
      above.map(([, value]) => value),
    );
    const names = (rows as { name: string }[]).map((row) => row.name);
    if (!names.includes(name)) {
      const nameWith = (last: string): Subtree =>
        ({ ...Object.fromEntries(above), [field]: last }) as unknown as Subtree;
      const near = nearName(
        name,
        names.filter((one) => isWithin(reach, nameWith(one))),
      );
      const place = above.length > 0 ? ` in ${above.map(([, value]) => value).join("/")}` : "";
      const what = field === "app" ? "application" : field;
      const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
      return { field, near, message: `there is no ${what} ${JSON.stringify(name)}${place}${hint}` };
    }
    above.push([field, name]);
  }
  return undefined;
}

/** For how many names of a request the nearest one is looked up. Who mistypes a name sends it with each result. */
const maxNear = 5;

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
