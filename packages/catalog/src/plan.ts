import type { FormerName, RegisteredApp } from "@maturity/client";
import { type AppEntry, type CatalogReading, type FoundApp, type PassedOver, placeText } from "./reading.ts";

/** What is registered now. */
export interface Registry {
  readonly registered: readonly RegisteredApp[];
  readonly retired: readonly RegisteredApp[];
  readonly formerNames: readonly FormerName[];
}

/** A fact of an application that differs from what is registered. Null is none. */
export interface Difference {
  readonly field: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** What registering the applications of some files would change. All lists are sorted by name. */
export interface Plan {
  readonly added: readonly FoundApp[];
  readonly changed: readonly { readonly found: FoundApp; readonly differences: readonly Difference[] }[];
  readonly unchanged: readonly FoundApp[];
  /** Registered in the areas of the files, but not in the files. */
  readonly absent: readonly AppName[];
  readonly passedOver: readonly PassedOver[];
  /** What its reader may not expect, such as an application that has moved. */
  readonly notes: readonly string[];
}

/** The name of an application. */
export type AppName = Pick<AppEntry, "area" | "team" | "app">;

/**
 * Compares what files say with what is registered.
 *
 * @param isPartial whether an entry keeps what is registered of it and it leaves out
 */
export function planOf(
  { apps, passedOver }: Pick<CatalogReading, "apps" | "passedOver">,
  registry: Registry,
  { isPartial = false }: { readonly isPartial?: boolean } = {},
): Plan {
  const registered = byName(registry.registered);
  const retired = byName(registry.retired);
  const plan = {
    added: [] as FoundApp[],
    changed: [] as Plan["changed"][number][],
    unchanged: [] as FoundApp[],
    passedOver: [...passedOver],
    notes: [] as string[],
  };
  const named = new Map<string, FoundApp>();
  for (const given of apps) {
    const name = currentName(given.entry, registry.formerNames);
    const key = appKey(name);
    const now = registered.get(key);
    const found = { ...given, entry: { ...(isPartial && now ? added(now, given.entry) : given.entry), ...name } };
    const refuse = (why: string) => plan.passedOver.push({ ...placeOf(given), what: given.entry.app, why });
    const place = placeText(given);
    const former = named.get(key);
    if (former) {
      refuse(
        `${nameText(given.entry)} has moved to ${nameText(found.entry)}, which stands in ${placeText(former)} already`,
      );
      continue;
    }
    if (retired.has(key)) {
      refuse(`${nameText(found.entry)} is retired: maturity app restore brings it back`);
      continue;
    }
    named.set(key, found);
    if (key !== appKey(given.entry)) {
      plan.notes.push(
        `${place}: ${nameText(given.entry)} has moved to ${nameText(found.entry)}, where it is registered`,
      );
    }
    if (given.note) plan.notes.push(`${place}: ${nameText(found.entry)}: ${given.note}`);
    const differences = now ? differencesOf(now, found.entry) : [];
    if (!now) plan.added.push(found);
    else if (differences.length > 0) plan.changed.push({ found, differences });
    else plan.unchanged.push(found);
  }
  const areas = new Set([...named.values()].map(({ entry }) => entry.area));
  const absent = registry.registered.filter((app) => areas.has(app.area) && !named.has(appKey(app)));
  const order = (one: AppName, other: AppName) => (appKey(one) < appKey(other) ? -1 : 1);
  return {
    ...plan,
    added: plan.added.sort((one, other) => order(one.entry, other.entry)),
    changed: plan.changed.sort((one, other) => order(one.found.entry, other.found.entry)),
    absent: absent.map(({ area, team, app }) => ({ area, team, app })).sort(order),
  };
}

/** The text of a name, in the words of the project. */
export function nameText(name: {
  readonly area: string;
  readonly team?: string | null;
  readonly app?: string | null;
}): string {
  return [name.area, name.team, name.app].filter((part) => part !== undefined && part !== null).join(" / ");
}

function placeOf({ file, line }: FoundApp): Pick<FoundApp, "file" | "line"> {
  return { file, line };
}

function appKey({ area, team, app }: AppName): string {
  return JSON.stringify([area, team, app]);
}

function byName(apps: readonly RegisteredApp[]): ReadonlyMap<string, RegisteredApp> {
  return new Map(apps.map((app) => [appKey(app), app]));
}

/** The current name of an application. Its own former name wins over a former name of its team. */
function currentName({ area, team, app }: AppName, formerNames: readonly FormerName[]): AppName {
  const [formerName] = formerNames
    .filter(
      (one) => one.area === area && (one.team === null || one.team === team) && (one.app === null || one.app === app),
    )
    .sort((one, other) => depth(other) - depth(one));
  if (!formerName) return { area, team, app };
  const { moved_to: to } = formerName;
  return { area: to.area, team: to.team ?? team, app: to.app ?? app };
}

function depth({ team, app }: FormerName): number {
  return Number(team !== null) + Number(app !== null);
}

/** What is registered, with the facts of an entry in their place. */
function added({ owner, repo, tier, labels }: RegisteredApp, entry: AppEntry): AppEntry {
  return {
    ...(owner !== null && { owner }),
    ...(repo !== null && { repo }),
    ...(tier !== null && { tier }),
    ...entry,
    labels: { ...labels, ...entry.labels },
  };
}

function differencesOf(now: RegisteredApp, next: AppEntry): Difference[] {
  const facts = (one: Partial<Pick<RegisteredApp, "owner" | "repo" | "tier" | "labels">>) => ({
    ...{ owner: one.owner ?? null, repo: one.repo ?? null, tier: one.tier ?? null },
    ...Object.fromEntries(Object.entries(one.labels ?? {}).map(([name, value]) => [`labels.${name}`, value])),
  });
  const [from, to]: Record<string, string | null>[] = [facts(now), facts(next)];
  return Object.keys({ ...from, ...to }).flatMap((field) => {
    const difference = { field, from: from?.[field] ?? null, to: to?.[field] ?? null };
    return difference.from === difference.to ? [] : [difference];
  });
}
