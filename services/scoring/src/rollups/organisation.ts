import type { AppLevel, AppScore, Severity } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import { appKey } from "../model/app-name.ts";
import type { RegisteredApp } from "../store/apps.ts";
import { type Lines, readTime } from "../store/lines.ts";
import { inSlices } from "../store/slices.ts";
import { readRows, separator } from "../store/text-rows.ts";
import { createStandingFinder, type StandingFacts } from "./app-levels.ts";
import { createExemptions, noExemptions } from "./exemptions.ts";
import { type Registry, readRegistry } from "./registered-apps.ts";
import { namesOf, readReportedApps, type StoredApp } from "./reported-apps.ts";
import type { OrganisationRules } from "./rules.ts";
import type { ScorecardScores } from "./scorecards.ts";
import { readWaivers } from "./waivers.ts";

/** The number of open problems, by severity. */
export type OpenProblems = Readonly<Record<Severity, number>>;

export const noProblems: OpenProblems = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

/** The facts of every application, with or without a score. */
interface Facts
  extends Omit<AppScore, "env" | "score" | "scorecards">,
    ScorecardScores,
    Omit<StoredApp, "env">,
    StandingFacts {
  /** Its entry in the registry, if there is one. */
  readonly registration: RegisteredApp | undefined;
}

/** One application in one environment. */
export interface App extends Facts {
  readonly env: string;
  readonly score: number;
  /** Null if there are no levels. */
  readonly level: AppLevel | null;
}

/**
 * An application without a score: in an environment without results that count, or, with `env` null, a registered one
 * that never reported.
 */
export interface UnscoredApp extends Facts {
  readonly env: string | null;
  readonly score: null;
  readonly level: null;
  /** Whether it reported and waits to be registered, so that it counts nowhere. */
  readonly isHeld?: true;
}

/** All applications, at one moment. */
export interface Organisation {
  /** The moment, by the database's clock. */
  readonly asOf: Date;
  /** Those with a score. */
  readonly apps: readonly App[];
  readonly unscored: readonly UnscoredApp[];
  /** Those that are held. */
  readonly held: readonly UnscoredApp[];
  readonly registry: Registry;
}

/**
 * Reads the roll-ups of applications, without blocking the event loop for long.
 *
 * @param which a condition in SQL on the names of the applications
 */
export async function readOrganisation(lines: Lines, rules: OrganisationRules, which = "true"): Promise<Organisation> {
  const asOf = await readTime(lines);
  const stored = await readReportedApps(lines, rules, which);
  const problems = await readProblems(lines, which);
  const registry = await readRegistry(lines, which);
  const waiversOf = await readWaivers(lines, asOf);
  const exemptionsOf = createExemptions(rules, asOf);
  const rollUp = createRollUp(rules);
  const [apps, unscored, silent]: [App[], UnscoredApp[], Map<string, RegisteredApp>] = [[], [], new Map(registry)];
  const add = (app: Subject) => {
    const key = appKey(app);
    const { env } = app;
    const registration = registry.get(key);
    const rolled = rollUp(app, asOf, {
      problems: problems.get(app.id)?.open ?? noProblems,
      registration,
      waivers: env === null ? [] : waiversOf({ ...app, env }),
      exemptions: env === null ? noExemptions : exemptionsOf(env, registration),
    });
    problems.delete(app.id);
    silent.delete(key);
    if (rolled.score === null) unscored.push(rolled);
    else apps.push(rolled);
  };
  await inSlices(stored.apps, add);
  await inSlices(problems, ([id, { target }]) => add({ ...namesOf(id), ...nothing, target }));
  await inSlices(silent, ([id, { area, team, app }]) => add({ id, area, team, app, env: null, ...nothing }));
  const held = stored.held.map((names): UnscoredApp => ({ ...nothingOf, ...names, isHeld: true }));
  return { asOf, apps, unscored, held, registry };
}

/** An application to roll up. */
interface Subject extends Omit<StoredApp, "env"> {
  readonly env: string | null;
}

const nothing = { target: 0, metricScores: [], repo: null } as const;

function createRollUp(rules: OrganisationRules) {
  const standingOf = createStandingFinder(rules);
  const noScores = metricIds(rules.scorecards).map(() => undefined);
  return (app: Subject, asOf: Date, context: Pick<Facts, keyof StandingFacts | "registration">): App | UnscoredApp => {
    const { id, area, team, env, target, repo, metricScores } = app;
    const { problems, registration, waivers, exemptions } = context;
    const standing = standingOf(context, metricScores.length === 0 ? noScores : metricScores, asOf);
    const { score, reported, fresh, waived, exempt, scorecards, unscored, level } = standing;
    if (score === undefined || env === null) return { ...app, ...context, ...withoutScore, waived, exempt, unscored };
    // Written out, since spreads would take a tenth of the time of a reading.
    return {
      id,
      area,
      team,
      app: app.app,
      env,
      target,
      repo,
      metricScores,
      problems,
      registration,
      waivers,
      exemptions,
      score,
      reported,
      fresh,
      waived,
      exempt,
      scorecards,
      unscored,
      level,
    };
  };
}

const withoutScore = { score: null, reported: 0, fresh: 0, scorecards: [], level: null } as const;

/** The facts of a held application: what it reported counts nowhere. */
const nothingOf = {
  ...{ ...nothing, ...withoutScore, problems: noProblems, registration: undefined },
  ...{ waivers: [], exemptions: noExemptions, waived: 0, exempt: 0, unscored: [] },
} as const;

/** The open problems of an application in an environment, with its id in the store. */
interface TargetProblems {
  readonly target: number;
  readonly open: OpenProblems;
}

/** Counts the open problems of each application, by its names in one text. */
export async function readProblems(lines: Lines, which = "true"): Promise<Map<string, TargetProblems>> {
  const found = new Map<string, TargetProblems & { readonly open: Record<Severity, number> }>();
  const select = `SELECT area, team, app, env, target_id, severity, count(*) FROM problems_by_name
    WHERE count > 0 AND ${which} GROUP BY area, team, app, env, target_id, severity`;
  for await (const rows of readRows(lines(select))) {
    for (const row of rows) {
      const [target, severity, count] = row.splice(4);
      const id = row.join(separator);
      const known = found.get(id) ?? { target: Number(target), open: { ...noProblems } };
      known.open[severity as Severity] = Number(count);
      found.set(id, known);
    }
  }
  return found;
}
