import type { Target } from "@maturity/core";

/** The name of an application, whatever its environments. */
export type AppName = Pick<Target, "area" | "team" | "app">;

/** An application, all those of a team, or all those of an area. */
export type Subtree = Pick<Target, "area"> & Partial<Pick<Target, "team" | "app">>;

/** The names of an application without anything else. */
export function appName({ area, team, app }: AppName): AppName {
  return { area, team, app };
}

/** A text that differs between any two applications. */
export function appKey({ area, team, app }: AppName): string {
  return `${area}\t${team}\t${app}`;
}

/** A name as a message shows it, such as `shop/checkout/cart`. */
export function shownName({ area, team, app }: Subtree): string {
  return [area, team, app].filter((name) => name !== undefined && name !== "").join("/");
}
