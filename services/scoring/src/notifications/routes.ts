import type { Fact, FactType } from "../model/fact.ts";
import type { Destination } from "./destination.ts";

/** To which destinations facts go. A condition that is absent fits all. */
export interface Route {
  readonly types?: readonly FactType[];
  readonly areas?: readonly string[];
  readonly teams?: readonly string[];
  readonly severities?: readonly string[];
  /** Owners of applications, as the registry has them. */
  readonly owners?: readonly string[];
  /** Names of destinations. */
  readonly to: readonly string[];
  /** The routes after this one are asked too. */
  readonly continue: boolean;
}

/** Where notifications go. */
export interface NotifySettings {
  readonly destinations: ReadonlyMap<string, Destination>;
  readonly routes: readonly Route[];
  /** Whether the registry is asked for the owner of an application and for the destination that its label `notify` names. */
  readonly asksRegistry: boolean;
  /** The address of the Board; null if it is not known. */
  readonly boardUrl: string | null;
}

/** What the registry says of an application. */
export interface Registered {
  readonly owner: string | null;
  /** The label `notify`. */
  readonly notify: string | null;
}

export const notRegistered: Registered = { owner: null, notify: null };

/** An address of a destination. */
export interface Place {
  readonly destination: string;
  /** Empty if the destination has one address only. */
  readonly address: string;
}

/** Why a fact goes to a destination, or goes nowhere there. */
export interface Way {
  readonly destination: string;
  /** The number of the route in the file, from 1; null for the label `notify` of the application. */
  readonly route: number | null;
  /** Undefined if the destination has no address for the fact, or does not exist. */
  readonly address: string | undefined;
}

/**
 * The ways of a fact: to the destination that the label of its application names, and by the first route that fits, or by
 * all up to the first without `continue`.
 */
export function waysOf({ destinations, routes }: NotifySettings, fact: Fact, registered: Registered): Way[] {
  const { chat_channel: channel } = fact.data;
  const way = (destination: string, route: number | null): Way => ({
    ...{ destination, route },
    address: destinations.get(destination)?.addressOf(typeof channel === "string" ? channel : undefined),
  });
  const ways = registered.notify === null ? [] : [way(registered.notify, null)];
  for (const [index, route] of routes.entries()) {
    if (!fits(route, fact, registered)) continue;
    ways.push(...route.to.map((destination) => way(destination, index + 1)));
    if (!route.continue) break;
  }
  return ways;
}

/** Says whether any destination may get a fact of a type. The label of an application may lead all of its facts to one. */
export function mayTake({ asksRegistry, routes }: NotifySettings, type: FactType): boolean {
  return asksRegistry || routes.some(({ types }) => has(types, type));
}

/** The places of a fact, each once. */
export function placesOf(settings: NotifySettings, fact: Fact, registered: Registered): Place[] {
  const places = new Map<string, Place>();
  for (const { destination, address } of waysOf(settings, fact, registered)) {
    if (address !== undefined) places.set(JSON.stringify([destination, address]), { destination, address });
  }
  return [...places.values()];
}

/** Says whether a destination gets facts of a type: a route to it takes them, or the label leads there. */
export function takes(
  { destinations, routes }: NotifySettings,
  destination: string,
  type: FactType,
  { notify }: Registered,
): boolean {
  if (!destinations.has(destination)) return false;
  return notify === destination || routes.some(({ to, types }) => to.includes(destination) && has(types, type));
}

function fits(route: Route, { type, area, team, severity }: Fact, { owner }: Registered): boolean {
  return (
    has(route.types, type) &&
    has(route.areas, area) &&
    has(route.teams, team) &&
    has(route.severities, severity) &&
    has(route.owners, owner)
  );
}

function has(allowed: readonly string[] | undefined, value: string | null): boolean {
  return allowed === undefined || (value !== null && allowed.includes(value));
}
