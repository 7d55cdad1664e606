import { ServiceError } from "./errors.ts";

/** How callers identify themselves: not at all, by access tokens, by ID tokens of an issuer, or by both kinds. */
export type AuthMode = "none" | "token" | "oidc" | "token,oidc";

/** Scopes of a token. `read` includes `metrics:read`; `admin` includes everything. */
export const scopes = ["score:write", "problem:write", "waiver:write", "read", "metrics:read", "admin"] as const;

export type Scope = (typeof scopes)[number];

/** The area, team or application that a token is limited to. An absent field sets no limit. */
export interface Bounds {
  readonly area?: string;
  readonly team?: string;
  readonly app?: string;
}

const boundFields = ["area", "team", "app"] as const satisfies readonly (keyof Bounds)[];

/** The scopes and bounds of a caller. */
export interface Grant {
  /** Name of the token or pipeline, for the log. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly bounds: Bounds;
}

/** The part of a grant that limits what a caller sees. */
export type Bounded = Pick<Grant, "bounds">;

/** The grant of every caller when authentication is off. */
export const unlimited: Grant = { name: "anybody", scopes: ["admin"], bounds: {} };

/** The scopes that allow a route: each one that is or includes the given scope. */
export function scopesAllowing(scope: Exclude<Scope, "admin">): Scope[] {
  return scope === "metrics:read" ? [scope, "read", "admin"] : [scope, "admin"];
}

/** The scopes that a pipeline needs for reports. */
const reporting: readonly Scope[] = ["score:write", "problem:write"];

/**
 * The fault of scopes that both report and waive. Their separation keeps a person that can change a pipeline from waiving
 * the findings of that pipeline.
 */
export function scopesFault(scopes: readonly Scope[]): string | undefined {
  const both = scopes.find((scope) => reporting.includes(scope));
  if (!scopes.includes("waiver:write") || both === undefined) return undefined;
  return `waiver:write must not stand beside ${both}: a token that reports must not waive; make another token for waivers`;
}

/**
 * Checks that a token does not both report and waive. An `admin` token may.
 *
 * @throws ServiceError `forbidden`
 */
export function assertSeparationOfDuties({ scopes }: Grant): void {
  const fault = scopes.includes("admin") ? undefined : scopesFault(scopes);
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
export function requireWithin({ bounds }: Bounded, written: WriteTarget, at = ""): void {
  for (const field of boundFields) {
    const bound = bounds[field];
    if (bound !== undefined) requireBound(field, bound, written[field], at);
  }
}

/** Says whether a write is within the bounds. */
export function isWithin({ bounds }: Bounded, written: WriteTarget): boolean {
  return boundFields.every((field) => bounds[field] === undefined || bounds[field] === written[field]);
}

/**
 * Narrows the filter of a read to the bounds.
 *
 * @throws ServiceError `forbidden` if the filter names something outside
 */
export function narrow<Filter extends Filters>({ bounds }: Bounded, filter: Filter): Filter {
  const narrowed: Partial<Record<keyof Bounds, readonly string[]>> = {};
  for (const field of boundFields) {
    const bound = bounds[field];
    if (bound === undefined) continue;
    for (const value of filter[field] ?? []) requireBound(field, bound, value);
    narrowed[field] = [bound];
  }
  return { ...filter, ...narrowed };
}

type Filters = { readonly [Field in keyof Bounds]?: readonly string[] };

function requireBound(field: keyof Bounds, bound: string, value: string | null | undefined, at = ""): void {
  if (value === bound) return;
  const path = at === "" ? field : `${at}.${field}`;
  const message = `this token is bound to the ${field} ${JSON.stringify(bound)}`;
  throw new ServiceError("forbidden", message, {
    details: [{ path, message: `must be ${JSON.stringify(bound)}` }],
  });
}
