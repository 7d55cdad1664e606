import { isDeepStrictEqual } from "node:util";
import { type Engine, type Rolled, rollUp, type ScoreRecord, type Waiver } from "@maturity/core";
import type { RollUpTarget } from "../../store/roll-up-days.ts";
import { demoEngine, formerEngine } from "./scorers.ts";
import { demoDays, demoSeries, type Series } from "./series.ts";

const dayMs = 86_400_000;

/** How many days ago the rules changed. */
const rulesChangedDaysAgo = 17;

/** A roll-up of a day. */
export interface DemoRollUp extends RollUpTarget, Rolled {
  readonly count?: number;
  readonly lowest?: number;
}

/** What a year of reports leaves in the store. */
export interface DemoYear {
  /** The roll-ups with which each day begins. */
  readonly days: readonly { readonly day: string; readonly rollUps: readonly DemoRollUp[] }[];
  /** The changes and the scores of now, in the form of an export. */
  readonly rows: readonly object[];
}

/** What is stored of a series. */
interface State extends ScoreRecord {
  readonly engine: Engine;
  readonly raw: object;
  readonly reported_at: number;
  readonly scorer: string;
  /** The last change, as the service records it. */
  readonly change: { readonly at: string; readonly former?: number; readonly cause: "report" | "rules" };
}

/**
 * Lives through the year that ends now.
 *
 * @param waivers what is waived, and was
 */
export function demoYear(now: Date, waivers: readonly Waiver[]): DemoYear {
  const days: DemoYear["days"][number][] = [];
  const rows: object[] = [];
  const firstDay = Math.floor(now.getTime() / dayMs) - (demoDays - 1);
  const all = demoSeries();
  const states = new Map<Series, State>();
  for (let day = 0; day < demoDays; day++) {
    const midnight = new Date((firstDay + day) * dayMs);
    if (day > 0) {
      const { apps, teams, areas } = rollUp(demoEngine.scorecards, states.values(), midnight, waivers);
      days.push({ day: midnight.toISOString().slice(0, 10), rollUps: [...apps, ...teams, ...areas] });
    }
    const engine = day < demoDays - 1 - rulesChangedDaysAgo ? formerEngine : demoEngine;
    for (const series of all) {
      const raw = series.report(day);
      const at = midnight.getTime() + series.timeOfDay;
      if (!raw || at > now.getTime()) continue;
      const former = states.get(series);
      const state = nextState(former, series, { engine, raw, at });
      states.set(series, state);
      const { change, score, scorer } = state;
      if (change !== former?.change) rows.push({ table: "score_changes", ...series.key, ...change, score, scorer });
    }
  }
  for (const [{ key }, state] of states) rows.push(scoreRow(key, state));
  return { days, rows };
}

interface Report {
  readonly engine: Engine;
  readonly raw: object;
  readonly at: number;
}

/** A result that is the same as before is not scored again. */
function nextState(former: State | undefined, { key }: Series, { engine, raw, at }: Report): State {
  if (former && former.raw === raw && former.engine === engine) return { ...former, reported_at: at };
  const { score, scorer } = engine.score(key.scorecard, key.metric, raw);
  const state = { ...key, engine, raw, reported_at: at, score, scorer };
  if (former?.score === score && former.scorer === scorer) return { ...state, change: former.change };
  const isOfRules = former && former.scorer !== scorer && isDeepStrictEqual(former.raw, raw);
  const change = { at: new Date(at).toISOString(), cause: isOfRules ? "rules" : "report" } as const;
  return { ...state, change: former ? { ...change, former: former.score } : change };
}

function scoreRow(key: Series["key"], { score, raw, scorer, reported_at, change }: State): object {
  const isOfPipeline = key.scorecard !== "reliability";
  return {
    ...{ table: "scores", ...key, score, raw, scorer },
    ...(isOfPipeline && { pipeline_id: `${key.app}/${Math.floor(reported_at / dayMs) - 19_000}` }),
    project_repo: `https://git.example.com/${key.area}/${key.app}`,
    reported_at: new Date(reported_at).toISOString(),
    ...{ changed_at: change.at, former_score: change.former, changed_by: change.cause },
  };
}
