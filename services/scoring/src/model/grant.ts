import { ServiceError } from "./errors.ts";

/**
 * How callers identify themselves: not at all, by access tokens, by ID tokens of an issuer, or by either of the two.
 */
export type AuthMode = "none" | "token" | "oidc" | "token,oidc";

/** Scopes of a token. `read` includes `metrics:read`; `admin` includes everything. */
export const scopes = ["score:write", "problem:write", "read", "metrics:read", "admin"] as const;

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

/** The grant of every caller when authentication is off. */
export const unlimited: Grant = { name: "anybody", scopes: ["admin"], bounds: {} };

/** The scopes that allow a route, including wider ones. */
export function oneOf(scope: Exclude<Scope, "admin">): Scope[] {
  return scope === "metrics:read" ? [scope, "read", "admin"] : [scope, "admin"];
}

/**
 * Checks that a write is within the bounds.
 *
 * @throws ServiceError `forbidden`, naming the bound
 */
export function requireWithin({ bounds }: Grant, target: Required<Bounds>): void {
  for (const field of boundFields) {
    const bound = bounds[field];
    if (bound !== undefined) requireBound(field, bound, target[field]);
  }
}

/**
 * Narrows the filter of a read to the bounds.
 *
 * @throws ServiceError `forbidden` if the filter asks for something outside
 */
export function narrow<Filter extends Filters>({ bounds }: Grant, filter: Filter): Filter {
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

function requireBound(field: keyof Bounds, bound: string, value: string): void {
  if (value === bound) return;
  const message = `this token is bound to the ${field} ${JSON.stringify(bound)}`;
  throw new ServiceError("forbidden", message, {
    details: [{ path: field, message: `must be ${JSON.stringify(bound)}` }],
  });
}
