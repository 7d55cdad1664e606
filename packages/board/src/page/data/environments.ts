import type { Area } from "@maturity/client";
import { place } from "../place.ts";
import { firstItems, type Reading, useReading } from "./reading.ts";

/** The areas in all environments, which show which environments there are. */
export function useAreas(): Reading<Area> | undefined {
  return useReading("/areas", { limit: firstItems });
}

/** The environments, those first that most people ask for. */
export function environmentsOf(areas: readonly Pick<Area, "env">[]): readonly string[] {
  const areasOf = new Map<string, number>();
  for (const { env } of areas) areasOf.set(env, (areasOf.get(env) ?? 0) + 1);
  const rank = (env: string) => (/^prod(uction)?$/i.test(env) ? Number.POSITIVE_INFINITY : (areasOf.get(env) ?? 0));
  return [...areasOf.keys()].sort((a, b) => (rank(a) === rank(b) ? a.localeCompare(b) : rank(b) - rank(a)));
}

/** The environment that the address names, otherwise the first; undefined until it is known. */
export function chosenEnvironment(areas: readonly Pick<Area, "env">[] | undefined): string | undefined {
  return place.value.env ?? (areas && environmentsOf(areas)[0]);
}
