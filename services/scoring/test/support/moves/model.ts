import { type AppName, appKey, appName, type Subtree } from "../../../src/model/app-name.ts";

/** Something that was done to applications. */
export type Deed =
  | { readonly kind: "move"; readonly from: Subtree; readonly to: Subtree; readonly merge: boolean }
  | { readonly kind: "retire" | "restore"; readonly from: AppName };

/**
 * What names mean after each of a number of deeds; a moment is the number of deeds before it. A name stands for the
 * application that had it first, wherever that went: it follows every move of what it stood for until then. This knows
 * nothing of how the service finds that out.
 */
export interface NamesModel {
  readonly deeds: readonly Deed[];
  add(deed: Deed): void;
  /** What the application of this name is called at a moment, by default after all deeds. */
  current(name: AppName, moment?: number): AppName;
  isRetired(name: AppName, moment?: number): boolean;
}

/** Is the application one of these? */
export function isWithin(name: AppName, { area, team, app }: Subtree): boolean {
  return name.area === area && (team === undefined || name.team === team) && (app === undefined || name.app === app);
}

/** Does the name stand for an application that is called otherwise now, so that nothing may be stored under it? */
export function isFormer(model: NamesModel, name: AppName): boolean {
  return appKey(model.current(name)) !== appKey(name);
}

export function createNamesModel(): NamesModel {
  const deeds: Deed[] = [];
  const retired: ReadonlyMap<string, AppName>[] = [new Map()];
  /** Of each name what it is after every deed. */
  const paths = new Map<string, AppName[]>();

  function pathOf(name: AppName): readonly AppName[] {
    const path = paths.get(appKey(name)) ?? [appName(name)];
    paths.set(appKey(name), path);
    while (path.length <= deeds.length) path.push(renamedBy(path.at(-1) as AppName, deeds[path.length - 1] as Deed));
    return path;
  }

  /**
   * A name that no application had may be renamed, with its team, to one that is a former name itself. It stands for what
   * that one does, as long as it is called so.
   */
  function follow(name: AppName, moment: number): AppName {
    const met = new Set<string>();
    let reached = name;
    while (!met.has(appKey(reached))) {
      met.add(appKey(reached));
      reached = pathOf(reached)[moment] as AppName;
    }
    return reached;
  }

  return {
    deeds,
    add(deed) {
      deeds.push(deed);
      const left = [...(retired.at(-1)?.values() ?? [])]
        .filter((name) => deed.kind !== "restore" || appKey(name) !== appKey(deed.from))
        .map((name) => renamedBy(name, deed));
      const all = deed.kind === "retire" ? [...left, deed.from] : left;
      retired.push(new Map(all.map((name) => [appKey(name), name])));
    },
    current: (name, moment = deeds.length) => follow(name, moment),
    isRetired: (name, moment = deeds.length) => retired[moment]?.has(appKey(name)) === true,
  };
}

function renamedBy(name: AppName, deed: Deed): AppName {
  return deed.kind === "move" && isWithin(name, deed.from) ? { ...name, ...deed.to } : name;
}
