import { ServiceError } from "./errors.ts";

/**
 * How callers identify themselves: not at all, by access tokens, by ID tokens of an issuer, or by either of the two.
 */
export type AuthMode = "none" | "token" | "oidc" | "token,oidc";

/** Scopes of a token. `read` includes `metrics:read`; `admin` includes everything. */
export const scopes = ["score:write", "problem:write", "waiver:write", "read", "metrics:read", "admin"] as const;

export type Scope = (typeof scopes)[number];

/** Where a token is valid. An absent field is not bounded. */
export interface Bounds {
  readonly area?: string;
  readonly team?: string;
  readonly app?: string;
}

const boundFields = ["area", "team", "app"] as const satisfies readonly (keyof Bounds)[];

/** What a caller may do. */
export interface Grant {
  /** Name of the token or pipeline, for the log. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly bounds: Bounds;
}

/** All of a grant on which it depends what a caller sees. */
export type Reach = Pick<Grant, "bounds">;

/** The grant of every caller when authentication is off. */
export const unlimited: Grant = { name: "anybody", scopes: ["admin"], bounds: {} };

/** The scopes that allow a route, including wider ones. */
export function oneOf(scope: Exclude<Scope, "admin">): Scope[] {
  return scope === "metrics:read" ? [scope, "read", "admin"] : [scope, "admin"];
}

/** The scopes by which a pipeline reports. */
const reporting: readonly Scope[] = ["score:write", "problem:write"];

/**
 * The fault of scopes that must not stand together: nobody waives with the token that his pipeline reports with, so that
 * who can change a pipeline cannot waive what it finds.
 */
export function scopesFault(scopes: readonly Scope[]): string | undefined {
  const both = scopes.find((scope) => reporting.includes(scope));
  if (!scopes.includes("waiver:write") || both === undefined) return undefined;
  return `waiver:write must not stand beside ${both}: who reports must not waive; make a token of its own for waivers`;
}

/**
 * Checks that a caller does not report with the token by which he waives.
 *
 * @throws ServiceError `forbidden`
 */
export function assertSeparationOfDuties({ scopes }: Grant): void {
  const fault = scopes.includes("admin") ? undefined : scopesFault(scopes);
  if (fault !== undefined) throw new ServiceError("forbidden", fault);
}

/** What a write is about. What it does not name, it is about all of. */
type Written = { readonly [Field in keyof Bounds]?: string | null | undefined };

/**
 * Checks that a write is within the bounds.
 *
 * @param at the path of what is written in the body; empty if it is the body itself
 * @throws ServiceError `forbidden`, naming the bound
 */
export function requireWithin({ bounds }: Reach, written: Written, at = ""): void {
  for (const field of boundFields) {
    const bound = bounds[field];
    if (bound !== undefined) requireBound(field, bound, written[field], at);
  }
}

/** Is a write within the bounds? */
export function isWithin({ bounds }: Reach, written: Written): boolean {
  return boundFields.every((field) => bounds[field] === undefined || bounds[field] === written[field]);
}

/**
 * Narrows the filter of a read to the bounds.
 *
 * @throws ServiceError `forbidden` if the filter asks for something outside
 */
export function narrow<Filter extends Filters>({ bounds }: Reach, filter: Filter): Filter {
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
