import type { Target } from "@maturity/core";
import { maxFaults } from "@maturity/core/wire";
import type { Knex } from "knex";
import { type AppName, appName } from "../model/app-name.ts";
import { invalidPayload } from "../model/errors.ts";
import { type Bounded, isWithin } from "../model/grant.ts";
import { rangeFaults } from "../model/measured-at.ts";
import { type Json, object, reference, text } from "../openapi/operation.ts";
import { appRetired, isSameName } from "../store/names.ts";
import { appUnregistered } from "../store/near-names.ts";
import type { StoredScores } from "../store/scores.ts";
import { findRetired } from "../store/targets.ts";

/**
 * The field that an answer adds if the result was stored under another name than the one sent. It is absent if that
 * name is outside the caller's bounds.
 */
export function movedTo(reach: Bounded, sent: AppName, stored: AppName = sent): { readonly moved_to?: AppName } {
  return isSameName(sent, stored) || !isWithin(reach, stored) ? {} : { moved_to: appName(stored) };
}

/**
 * Refuses scores of which an application or environment is retired, those of unregistered applications where these are
 * refused, and those whose time of measurement is out of range.
 *
 * @param knex reads the nearest registered names
 * @param reach the bounds of the caller
 * @param pathOf the path of a score in the body; empty if it is the body itself
 * @throws ServiceError `app-retired`, `app-unregistered` or `invalid-payload`, naming these scores
 */
export async function requireStored(
  { knex, reach }: { readonly knex: Knex; readonly reach: Bounded },
  { retired, outOfRange, unregistered }: Pick<StoredScores, "retired" | "outOfRange" | "unregistered">,
  scores: readonly Target[],
  pathOf: (index: number) => string = () => "",
): Promise<void> {
  if (outOfRange.length > 0) {
    const faults = outOfRange.slice(0, maxFaults).map(({ index, what }) => {
      const path = pathOf(index);
      return { path: path === "" ? "measured_at" : `${path}.measured_at`, message: rangeFaults[what] };
    });
    throw invalidPayload(faults);
  }
  if (unregistered.length > 0) {
    const names = unregistered.map((index) => {
      const path = pathOf(index);
      return { path: path === "" ? "app" : `${path}.app`, name: appName(scores[index] as Target) };
    });
    throw await appUnregistered(knex, names, reach);
  }
  if (retired.length === 0) return;
  // The statement that stores looks no names of moved groups up, so more of a batch may be retired.
  const all = scores.length > 1 ? await findRetired(knex, scores) : [];
  const names = (all.length > 0 ? all : retired).slice(0, maxFaults).map(({ index, what }) => {
    const { area, team, app, env } = scores[index] as Target;
    const path = pathOf(index);
    return { path: path === "" ? what : `${path}.${what}`, name: { area, team, app, ...(what === "env" && { env }) } };
  });
  throw appRetired(names);
}

/** The schema of the current name of an application. */
export const movedToSchema: Json = { AppName: object({ area: text, team: text, app: text }) };

/** Adds `moved_to` to the schema of an answer. */
export function withMovedTo(schema: Json): Json {
  const moved_to = {
    ...reference("AppName"),
    description:
      "The name under which it is stored, if the application has moved and this name is within the bounds of the token",
  };
  return { ...schema, properties: { ...(schema.properties as Json), moved_to } };
}
