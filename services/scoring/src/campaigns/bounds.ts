import type { Fault } from "@maturity/core";
import type { CampaignScope } from "../model/campaign.ts";
import { ServiceError } from "../model/errors.ts";
import { type Bounded, type Bounds, isWithin, reachesInto } from "../model/grant.ts";

/**
 * Checks that a campaign reaches only what the caller may change.
 *
 * @throws ServiceError `forbidden`, naming what is outside
 */
export function requireScopeWithin(grant: Bounded, scope: CampaignScope): void {
  const found = faultsOf(grant, scope);
  if (found.length === 0) return;
  const message = `the scope of the campaign is outside your bounds: ${found[0]?.path} ${found[0]?.message}`;
  throw new ServiceError("forbidden", message, { details: found });
}

/** Whether a campaign reaches nothing but what is within these bounds. */
export function isScopeWithin(grant: Bounded, scope: CampaignScope): boolean {
  return faultsOf(grant, scope).length === 0;
}

function faultsOf(grant: Bounded, { areas = [], teams = [] }: CampaignScope): Fault[] {
  const allowed = [...new Set(grant.parts.map(({ bounds }) => shownBounds(bounds)))].join(" or ");
  if (areas.length + teams.length === 0) {
    const isFree = isWithin(grant, { area: null });
    return isFree
      ? []
      : [{ path: "scope", message: `must name areas or teams within ${allowed}: without both it is for all` }];
  }
  const outside = (path: string) => ({ path, message: `must be within ${allowed}` });
  return [
    ...areas.flatMap((area, index) => (isWithin(grant, { area }) ? [] : [outside(`scope.areas[${index}]`)])),
    ...teams.flatMap((team, index) => (isWithin(grant, team) ? [] : [outside(`scope.teams[${index}]`)])),
  ];
}

function shownBounds(bounds: Bounds): string {
  return Object.entries(bounds)
    .map(([field, name]) => `the ${field} ${JSON.stringify(name)}`)
    .join(", ");
}

/** A scope without the areas and teams of which the caller may read nothing. */
export function visibleScope(grant: Bounded, { areas, teams, ...rest }: CampaignScope): CampaignScope {
  return {
    ...(areas && { areas: areas.filter((area) => reachesInto(grant, { area })) }),
    ...(teams && { teams: teams.filter((team) => reachesInto(grant, team)) }),
    ...rest,
  };
}
