import { type AppName, appKey, appName, type Subtree } from "../../../src/model/app-name.ts";

/** Something that was done to applications. */
export type Action =
  | { readonly kind: "move"; readonly from: Subtree; readonly to: Subtree; readonly merge: boolean }
  | { readonly kind: "retire" | "restore"; readonly from: AppName };

/**
 * What names mean after each of a number of actions; a moment is the number of actions before it. A name stands for the
 * application that had it first, wherever that went: it follows every move of what it stood for until then. This knows
 * nothing of how the service finds that out.
 */
export interface NamesModel {
  readonly actions: readonly Action[];
  add(action: Action): void;
  /** What the application of this name is called at a moment, by default after all actions. */
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
  const actions: Action[] = [];
  const retired: ReadonlyMap<string, AppName>[] = [new Map()];
  /** Of each name what it is after every action. */
  const paths = new Map<string, AppName[]>();

  function pathOf(name: AppName): readonly AppName[] {
    const path = paths.get(appKey(name)) ?? [appName(name)];
    paths.set(appKey(name), path);
    while (path.length <= actions.length)
      path.push(renamedBy(path.at(-1) as AppName, actions[path.length - 1] as Action));
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
    actions,
    add(action) {
      actions.push(action);
      const left = [...(retired.at(-1)?.values() ?? [])]
        .filter((name) => action.kind !== "restore" || appKey(name) !== appKey(action.from))
        .map((name) => renamedBy(name, action));
      const all = action.kind === "retire" ? [...left, action.from] : left;
      retired.push(new Map(all.map((name) => [appKey(name), name])));
    },
    current: (name, moment = actions.length) => follow(name, moment),
    isRetired: (name, moment = actions.length) => retired[moment]?.has(appKey(name)) === true,
  };
}

function renamedBy(name: AppName, action: Action): AppName {
  return action.kind === "move" && isWithin(name, action.from) ? { ...name, ...action.to } : name;
}
