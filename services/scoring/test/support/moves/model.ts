import { type AppName, appKey, appName, type Subtree } from "../../../src/model/app-name.ts";

/** Something that was done to applications. */
export type Action =
  | { readonly kind: "move"; readonly from: Subtree; readonly to: Subtree; readonly merge: boolean }
  | { readonly kind: "retire" | "restore"; readonly from: AppName };

/** A report that was sent when so many actions were done for certain, and was answered when so many may have been. */
export interface Reported {
  readonly sent: AppName;
  readonly from: number;
  readonly to: number;
  /** Unknown without an answer, or where the database was gone: it may have been stored. */
  readonly outcome: "acknowledged" | "refused" | "unknown";
}

/**
 * What names mean after each of a number of actions; a moment is the number of actions before it. A name stands for the
 * application that had it first, wherever that went: it follows every move of what it stood for until then. A name that no
 * application had stands for the application that stored its first report. This knows nothing of how the service finds
 * that out.
 */
export interface NamesModel {
  readonly actions: readonly Action[];
  add(action: Action): void;
  report(report: Reported): void;
  /**
   * What the application of this name may be called at a moment, by default after all actions. It is more than one name
   * where the first report may have been stored before or after a move of the name.
   */
  names(name: AppName, moment?: number): readonly AppName[];
  /** What the application that has or had this name is called at a moment, by default after all actions. */
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
  /** The reports of each name that were or may have been stored. */
  const reports = new Map<string, Reported[]>();

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

  /** What the application that is called so at a moment is called at a later one. */
  function later(name: AppName, moment: number, end: number): AppName {
    return actions.slice(moment, end).reduce(renamedBy, name);
  }

  /** The moments at which the first report of a name may have been stored, until a moment, which stands for none. */
  function firstMoments(name: AppName, end: number): Set<number> {
    const stored = reports.get(appKey(name)) ?? [];
    const last = Math.min(end, ...stored.filter(({ outcome }) => outcome === "acknowledged").map(({ to }) => to));
    const ofReports = stored.flatMap(({ from, to }) => range(from, Math.min(to, last)));
    return new Set([...ofReports, ...(last === end ? [end] : [])]);
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
    report(report) {
      const key = appKey(report.sent);
      if (report.outcome !== "refused") reports.set(key, [...(reports.get(key) ?? []), report]);
    },
    names(name, moment = actions.length) {
      const found = [...firstMoments(name, moment)].map((first) => later(follow(name, first), first, moment));
      return [...new Map(found.map((one) => [appKey(one), one])).values()];
    },
    current: (name, moment = actions.length) => follow(name, moment),
    isRetired: (name, moment = actions.length) => retired[moment]?.has(appKey(name)) === true,
  };
}

function renamedBy(name: AppName, action: Action): AppName {
  return action.kind === "move" && isWithin(name, action.from) ? { ...name, ...action.to } : name;
}

/** The numbers from one to another, both included. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, place) => from + place);
}
