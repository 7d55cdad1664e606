import type { Target } from "@maturity/core";
import { maxFaults } from "@maturity/core/wire";
import type { Knex } from "knex";
import { type AppName, appName, isSameName } from "../model/app-name.ts";
import { invalidPayload } from "../model/errors.ts";
import { type Bounded, isWithin } from "../model/grant.ts";
import { rangeFaults } from "../model/measured-at.ts";
import { type Json, object, text } from "../openapi/operation.ts";
import { appRetired } from "../store/names.ts";
import { appUnregistered } from "../store/near-names.ts";
import type { StoredScore } from "../store/scores.ts";
import { findRetired } from "../store/targets.ts";

/**
 * What an answer adds about how a result was stored. The current name of an application that has moved is left out if it
 * is outside the caller's bounds.
 */
export function storedNote(
  reach: Bounded,
  sent: AppName,
  { name = sent, is_past, is_held }: Partial<Pick<StoredScore, "name" | "is_past" | "is_held">> = {},
): object {
  const isShown = !isSameName(sent, name) && isWithin(reach, name);
  return {
    ...(isShown && { moved_to: appName(name) }),
    stored: is_past ? "history" : "current",
    ...(is_held && { held: true }),
  };
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
  stored: readonly StoredScore[],
  scores: readonly Target[],
  pathOf: (index: number) => string = () => "",
): Promise<void> {
  const at = (index: number, field: string) => [pathOf(index), field].filter(Boolean).join(".");
  const outOfRange = stored.flatMap(({ out_of_range: what }, index) =>
    what ? [{ path: at(index, "measured_at"), message: rangeFaults[what] }] : [],
  );
  if (outOfRange.length > 0) throw invalidPayload(outOfRange.slice(0, maxFaults));
  const unregistered = stored.flatMap(({ is_refused }, index) =>
    is_refused ? [{ path: at(index, "app"), name: appName(scores[index] as Target) }] : [],
  );
  if (unregistered.length > 0) throw await appUnregistered(knex, unregistered, reach);
  const retired = stored.flatMap(({ retired: what }, index) => (what ? [{ index, what }] : []));
  if (retired.length === 0) return;
  // The statement that stores looks no names of moved groups up, so more of a batch may be retired.
  const all = scores.length > 1 ? await findRetired(knex, scores) : [];
  const names = (all.length > 0 ? all : retired).slice(0, maxFaults).map(({ index, what }) => {
    const { area, team, app, env } = scores[index] as Target;
    return { path: at(index, what), name: { area, team, app, ...(what === "env" && { env }) } };
  });
  throw appRetired(names);
}

/** The schema of the current name of an application. */
export const movedToSchema: Json = { AppName: object({ area: text, team: text, app: text }) };
