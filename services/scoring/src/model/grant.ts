import { ServiceError } from "./errors.ts";
import type { Bounds, NameFilter, TargetFilter } from "./target-filter.ts";

export type { Bounds };

/** How callers identify themselves: not at all, by access tokens, by ID tokens of an issuer, or by both kinds. */
export type AuthMode = "none" | "token" | "oidc" | "token,oidc";

/** Scopes of a token. `read` includes `metrics:read`; `admin` includes everything. */
export const scopes = [
  "score:write",
  "problem:write",
  "waiver:request",
  "waiver:write",
  "campaign:write",
  "badge:write",
  "read",
  "metrics:read",
  "admin",
] as const;

export type Scope = (typeof scopes)[number];

const boundFields = ["area", "team", "app"] as const satisfies readonly (keyof Bounds)[];

/** Scopes within bounds. */
export interface GrantPart {
  readonly scopes: readonly Scope[];
  readonly bounds: Bounds;
  /** The path of the rule that grants it, such as `issuers[0].rules[1]`; absent for an access token. */
  readonly rule?: string;
}

/** Everything that a caller may do: a part allows its scopes within its own bounds only. */
export interface Grant {
  /** Name of the token, pipeline or person, for the log and the audit. */
  readonly name: string;
  /** A key of the caller that no name changes and no other caller has. */
  readonly caller: string;
  /** Of a person, the provider at which the person has signed in. */
  readonly issuer?: string;
  /** At least one. */
  readonly parts: readonly GrantPart[];
}

/** The part of a grant that limits what a caller sees and changes: the bounds of any part allow it. */
export interface Bounded {
  readonly parts: readonly Pick<GrantPart, "bounds">[];
}

/** The grant of every caller when authentication is off. */
export const unlimited: Grant = { name: "anybody", caller: "anybody", parts: [{ scopes: ["admin"], bounds: {} }] };

/** The scopes that allow a route: each one that is or includes the given scope. */
export function scopesAllowing(scope: Exclude<Scope, "admin">): Scope[] {
  if (scope === "metrics:read") return [scope, "read", "admin"];
  return scope === "waiver:request" ? [scope, "waiver:write", "admin"] : [scope, "admin"];
}

/** The scopes of all parts together. */
export function scopesOf({ parts: [first, ...others] }: Grant): readonly Scope[] {
  if (others.length === 0) return first?.scopes ?? [];
  return [...new Set([first, ...others].flatMap((part) => part?.scopes ?? []))];
}

/** A grant as the API shows it. */
export function shownGrant(grant: Grant): object {
  return { name: grant.name, scopes: scopesOf(grant), grants: grant.parts };
}

/** The caller as the audit names it: a person with the provider. */
export function actorOf({ name, issuer }: Pick<Grant, "name" | "issuer">): string {
  return issuer === undefined ? name : `${name} (${issuer})`;
}

/** The grant with only those parts that have one of these scopes, so that no part lends its scope to another. */
export function partsWith(grant: Grant, allowing: readonly string[]): Grant {
  return { ...grant, parts: grant.parts.filter(({ scopes }) => scopes.some((scope) => allowing.includes(scope))) };
}

/** The scopes that a pipeline needs to submit. */
const reporting: readonly Scope[] = ["score:write", "problem:write"];

/**
 * The fault of scopes that both submit and waive. Their separation keeps a person that can change a pipeline from waiving
 * the findings of that pipeline.
 */
export function scopesFault(scopes: readonly Scope[]): string | undefined {
  const both = scopes.find((scope) => reporting.includes(scope));
  if (!scopes.includes("waiver:write") || both === undefined) return undefined;
  return `waiver:write must not stand beside ${both}: a token that reports must not waive; make another token for waivers`;
}

/**
 * The fault of a caller that both submits and waives, be it by different parts of the grant. An `admin` may.
 *
 * @param grant with all its parts
 */
export function dutiesFault(grant: Grant): string | undefined {
  const scopes = scopesOf(grant);
  return scopes.includes("admin") ? undefined : scopesFault(scopes);
}

/**
 * Checks that `dutiesFault` finds nothing.
 *
 * @param grant with all its parts
 * @throws ServiceError `forbidden`
 */
export function assertSeparationOfDuties(grant: Grant): void {
  const fault = dutiesFault(grant);
  if (fault !== undefined) throw new ServiceError("forbidden", fault);
}

/** The area, team and app that a write changes. Without a team or an app it changes all of them. */
type WriteTarget = { readonly [Field in keyof Bounds]?: string | null | undefined };

/**
 * Checks that a write is within the bounds.
 *
 * @param at the path of the names in the body, such as `from`; empty if the body itself has them
 * @throws ServiceError `forbidden`, naming the bound
 */
export function requireWithin({ parts }: Bounded, written: WriteTarget, at = ""): void {
  let left = parts.map(({ bounds }) => bounds);
  for (const field of boundFields) left = requireBound(left, field, written[field], at);
}

/** Says whether a write is within the bounds. */
export function isWithin({ parts }: Bounded, written: WriteTarget): boolean {
  return parts.some(({ bounds }) => isIn(bounds, written));
}

/** Says whether the bounds allow anything within an area, a team or an application. */
export function reachesInto({ parts }: Bounded, names: Bounds): boolean {
  return parts.some(({ bounds }) => isCompatible(bounds, names));
}

/** Says whether something can be within both bounds. */
export function isCompatible(one: Bounds, other: Bounds): boolean {
  return boundFields.every(
    (field) => one[field] === undefined || other[field] === undefined || one[field] === other[field],
  );
}

/** Says whether these bounds set no limit. */
export function isAll(bounds: Bounds): boolean {
  return Object.keys(bounds).length === 0;
}

/** Says whether names are within these bounds. */
export function isIn(bounds: Bounds, names: WriteTarget): boolean {
  return boundFields.every((field) => bounds[field] === undefined || bounds[field] === names[field]);
}

/**
 * Narrows the names that a query wants to the bounds. Bounds of a single part become values of the filter.
 *
 * @throws ServiceError `forbidden` if the filter names something outside
 */
export function narrow({ parts }: Bounded, { area, team, app, env }: NameFilter): TargetFilter {
  // What is not wanted stays absent: a filter by environment alone is read faster.
  const filter = Object.fromEntries(
    Object.entries({ area, team, app, env }).filter(([, values]) => values),
  ) as NameFilter;
  let left = parts.map(({ bounds }) => bounds);
  for (const field of boundFields) {
    const values = filter[field];
    if (values) left = [...new Set(values.flatMap((value) => requireBound(left, field, value)))];
  }
  const [bounds = {}, ...others] = widest(left);
  if (others.length > 0) return { ...filter, within: [bounds, ...others] };
  const bound = boundFields.flatMap((field) => (bounds[field] === undefined ? [] : [[field, [bounds[field]]]]));
  return { ...filter, ...Object.fromEntries(bound) };
}

/** The bounds without those that others include. */
function widest(all: readonly Bounds[]): Bounds[] {
  const isIncluded = (bounds: Bounds, index: number) =>
    all.some((other, at) => at !== index && isIn(other, bounds) && (at < index || !isIn(bounds, other)));
  return all.filter((bounds, index) => !isIncluded(bounds, index));
}

/** The bounds that allow a value of a field. @throws ServiceError `forbidden` if there are none, naming what they allow */
function requireBound(
  all: readonly Bounds[],
  field: keyof Bounds,
  value: string | null | undefined,
  at = "",
): Bounds[] {
  const left = all.filter((bounds) => bounds[field] === undefined || bounds[field] === value);
  if (left.length > 0) return left;
  const allowed = [...new Set(all.map((bounds) => JSON.stringify(bounds[field])))].sort().join(" or ");
  throw new ServiceError("forbidden", `you are bound to the ${field} ${allowed}`, {
    details: [{ path: at === "" ? field : `${at}.${field}`, message: `must be ${allowed}` }],
  });
}
