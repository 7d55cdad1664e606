import { isDeepStrictEqual } from "node:util";
import {
  type AppScore,
  coversTarget,
  type Engine,
  isInForce,
  rollUpApp,
  rollUpAreas,
  rollUpTeams,
  type Score,
  type Waiver,
  waivedMetrics,
} from "@maturity/core";
import type { TargetRollUp } from "../../history/roll-up-levels.ts";
import { demoEngine, formerEngine } from "./scorers.ts";
import { demoDays, demoSeries, type Series } from "./series.ts";

const dayMs = 86_400_000;

/** How many days ago the rules changed. */
const rulesChangedDaysAgo = 17;

/** The roll-ups of a day, with which it begins. */
export interface DemoDay {
  readonly day: string;
  readonly rollUps: readonly TargetRollUp[];
}

/** What a year of reports leaves in the store. */
export interface DemoYear {
  readonly days: readonly DemoDay[];
  /** The changes and the scores of now, in the form of an export. */
  readonly rows: readonly object[];
}

/**
 * Lives through the year that ends now.
 *
 * @param waivers what is waived, and was
 */
export function demoYear(now: Date, waivers: readonly Waiver[]): DemoYear {
  const days: DemoDay[] = [];
  const rows: object[] = [];
  const firstDay = Math.floor(now.getTime() / dayMs) - (demoDays - 1);
  const all = demoSeries();
  const states = new Map<Series, State>();
  const apps = appsOf(all);
  for (let day = 0; day < demoDays; day++) {
    const midnight = (firstDay + day) * dayMs;
    if (day > 0) days.push(rollUpsAt(new Date(midnight), apps, states, waivers));
    const engine = day < demoDays - 1 - rulesChangedDaysAgo ? formerEngine : demoEngine;
    for (const series of all) {
      const raw = series.report(day);
      const at = midnight + series.timeOfDay;
      if (!raw || at > now.getTime()) continue;
      const former = states.get(series);
      const state = nextState(former, { series, engine, raw, at });
      states.set(series, state);
      if (state.change !== former?.change) rows.push({ table: "score_changes", ...keyOf(series), ...state.change });
    }
  }
  for (const [series, state] of states) rows.push(scoreRow(series, state));
  return { days, rows };
}

/** What is stored of a series. */
interface State extends Score {
  readonly engine: Engine;
  readonly raw: object;
  readonly reported_at: number;
  readonly change: Change;
}

interface Change {
  readonly at: string;
  readonly former?: number;
  readonly score: number;
  readonly scorer: string;
  readonly cause: "report" | "rules";
}

interface Report {
  readonly series: Series;
  readonly engine: Engine;
  readonly raw: object;
  readonly at: number;
}

/** A raw result that is the same as before is not scored again. */
function nextState(former: State | undefined, { series, engine, raw, at }: Report): State {
  if (former && former.raw === raw && former.engine === engine) return { ...former, reported_at: at };
  const scored = engine.score(series.scorecard, series.metric, raw);
  const change = changeOf(former, scored, raw, at);
  return { ...scored, engine, raw, reported_at: at, change };
}

/** The last change, as the service records it: a new one if the score or the scorer is another. */
function changeOf(former: State | undefined, { score, scorer }: Score, raw: object, at: number): Change {
  const time = new Date(at).toISOString();
  if (!former) return { at: time, score, scorer, cause: "report" };
  if (former.score === score && former.scorer === scorer) return former.change;
  const isOfRules = former.scorer !== scorer && isDeepStrictEqual(former.raw, raw);
  return { at: time, former: former.score, score, scorer, cause: isOfRules ? "rules" : "report" };
}

function scoreRow(series: Series, { score, raw, scorer, reported_at, change }: State): object {
  const isOfPipeline = series.scorecard !== "reliability";
  return {
    ...{ table: "scores", ...keyOf(series), score, raw, scorer },
    ...(isOfPipeline && { pipeline_id: `${series.app}/${Math.floor(reported_at / dayMs) - 19_000}` }),
    project_repo: series.project_repo,
    reported_at: new Date(reported_at).toISOString(),
    ...{ changed_at: change.at, former_score: change.former, changed_by: change.cause },
  };
}

function keyOf({ area, team, app, env, scorecard, metric }: Series) {
  return { area, team, app, env, scorecard, metric };
}

/** An application in an environment: its series in the order of the engine's metrics. */
type App = readonly (Series | undefined)[];

function appsOf(all: readonly Series[]): App[] {
  const groups = Map.groupBy(all, ({ area, team, app, env }) => `${area}/${team}/${app}/${env}`);
  return [...groups.values()].map((group) =>
    demoEngine.scorecards.flatMap(({ name, metrics }) =>
      metrics.map((metric) => group.find((series) => series.scorecard === name && series.metric === metric.name)),
    ),
  );
}

function rollUpsAt(
  at: Date,
  all: readonly App[],
  states: ReadonlyMap<Series, State>,
  waivers: readonly Waiver[],
): DemoDay {
  const inForce = waivers.filter((waiver) => isInForce(waiver, at));
  const apps = all.flatMap((app): Omit<AppScore, "scorecards">[] => {
    const evidence = app.map((series) => series && states.get(series));
    const [series] = app.filter((one) => one !== undefined);
    if (!series) return [];
    const own = inForce.filter((waiver) => coversTarget(waiver, series));
    const rolled = rollUpApp(demoEngine.scorecards, evidence, at, waivedMetrics(demoEngine.scorecards, own));
    if (!rolled) return [];
    const { scorecards: _, ...scores } = rolled;
    return [{ area: series.area, team: series.team, app: series.app, env: series.env, ...scores }];
  });
  const teams = rollUpTeams(apps);
  return { day: at.toISOString().slice(0, 10), rollUps: [...apps, ...teams, ...rollUpAreas(teams)] };
}
