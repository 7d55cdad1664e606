import type { Place } from "../place.ts";
import type { Bounds, Session } from "./session.ts";

/** What a write is about; an absent name means all. */
type Target = { readonly [Name in keyof Bounds]?: string | undefined };

const fields = ["area", "team", "app"] as const;

/** May the reader ask for a waiver of this, or of anything? A session of a pasted token only reads. */
export function mayAsk(session: Session | null, target?: Target): boolean {
  return partsWith(session, ["waiver:request", "waiver:write"]).some(
    ({ bounds }) => !target || fields.every((field) => bounds[field] === undefined || bounds[field] === target[field]),
  );
}

/** May the reader decide on waivers of anything? */
export function mayDecide(session: Session | null): boolean {
  return partsWith(session, ["waiver:write"]).length > 0;
}

/** May the reader make badges of an application? */
export function mayMakeBadges(session: Session | null, target: Target): boolean {
  return partsWith(session, ["badge:write"]).some(({ bounds }) =>
    fields.every((field) => bounds[field] === undefined || bounds[field] === target[field]),
  );
}

/** May the reader make and end a campaign for this, or for anything? */
export function mayCampaign(session: Session | null, target?: Target): boolean {
  return partsWith(session, ["campaign:write"]).some(
    ({ bounds }) => !target || fields.every((field) => bounds[field] === undefined || bounds[field] === target[field]),
  );
}

function partsWith(session: Session | null, scopes: readonly string[]) {
  const parts = session?.kind === "sign_in" ? session.grants : [];
  return parts.filter((part) => part.scopes.some((scope) => scope === "admin" || scopes.includes(scope)));
}

/** The bounds that a person's rules name, each once: where the Board begins. */
export function ownBounds(session: Session | null): readonly Bounds[] {
  return session?.kind === "sign_in" ? distinct(session.grants.map(({ bounds }) => bounds)) : [];
}

/** The bounds within which a reader sees: any of them shows a row. None where all is shown. */
export function readBounds(session: Session | null): readonly Bounds[] {
  const parts = session?.grants.filter(({ scopes }) => scopes.includes("read") || scopes.includes("admin")) ?? [];
  const bounds = parts.map((part) => part.bounds);
  return bounds.some((one) => Object.keys(one).length === 0) ? [] : distinct(bounds);
}

function distinct(bounds: readonly Bounds[]): readonly Bounds[] {
  const byNames = bounds.map((one) => [JSON.stringify(fields.map((field) => one[field])), one] as const);
  return [...new Map(byNames).values()].filter((one) => Object.keys(one).length > 0);
}

/** Where bounds are shown: a bound without the names above it is a list of applications. */
export function placeOf({ area, team, app }: Bounds): Place {
  const isWhole = area !== undefined && (app === undefined || team !== undefined);
  return {
    ...(!isWhole && { view: "applications" }),
    ...(area !== undefined && { area }),
    ...(team !== undefined && { team }),
    ...(app !== undefined && (isWhole ? { app } : { q: app })),
  };
}

/** The list that has what bounds name. */
export function listOf({ team, app }: Bounds): "/areas" | "/teams" | "/apps" {
  return app !== undefined ? "/apps" : team !== undefined ? "/teams" : "/areas";
}
