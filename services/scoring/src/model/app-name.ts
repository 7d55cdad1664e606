import type { Target } from "@maturity/core";

/** The name of an application, without an environment. */
export type AppName = Pick<Target, "area" | "team" | "app">;

/** An application, a team or an area. */
export type Subtree = Pick<Target, "area"> & Partial<Pick<Target, "team" | "app">>;

/** Picks the name of an application out of a larger object. */
export function appName({ area, team, app }: AppName): AppName {
  return { area, team, app };
}

/** A key that is unique for each application. */
export function appKey({ area, team, app }: AppName): string {
  return `${area}\t${team}\t${app}`;
}

/** A name as it is stored: null, or an empty text, where it has no such part. */
export interface Shown {
  readonly area: string;
  readonly team?: string | null;
  readonly app?: string | null;
}

/** The name of an application, team or area in messages, such as `shop/checkout/cart`. */
export function shownName({ area, team, app }: Shown): string {
  return [area, team, app].filter((name) => name != null && name !== "").join("/");
}

/** Formats an application, a team or an area for a message, or an environment of an application. */
export function shownTarget({ env, ...name }: Shown & { readonly env?: string | null }): string {
  return env == null ? shownName(name) : `${shownName(name)} (${env})`;
}

/** Whether two names are equal. */
export function isSameName(one: AppName, other: AppName): boolean {
  return appKey(one) === appKey(other);
}
