import { isDeepStrictEqual } from "node:util";
import { type Engine, type Rolled, rollUp, type ScoreRecord } from "@maturity/core";
import { demoEngine, formerEngine } from "./scorers.ts";
import { demoDays, demoSeries, type Series } from "./series.ts";
import type { DemoWaiver } from "./waivers.ts";

const dayMs = 86_400_000;

/** How many days ago the rules changed. */
const rulesChangedDaysAgo = 17;

/** The scorecards of the year, each set with the time since which it was in force. */
export function demoRules(now: Date): readonly { readonly since: Date; readonly scorecards: Engine["scorecards"] }[] {
  const today = Math.floor(now.getTime() / dayMs);
  return [
    { since: new Date((today - (demoDays - 1)) * dayMs), scorecards: formerEngine.scorecards },
    { since: new Date((today - rulesChangedDaysAgo) * dayMs), scorecards: demoEngine.scorecards },
  ];
}

/** A roll-up of an area, a team or an application at the beginning of a day. */
export interface DemoRollUp extends Rolled {
  readonly area: string;
  readonly team?: string;
  readonly app?: string;
  readonly env: string;
  readonly count?: number;
  readonly lowest?: number;
}

/** The rows that a year of results leaves in the store. */
export interface DemoYear {
  /** The roll-ups at the beginning of each day. */
  readonly days: readonly { readonly day: string; readonly rollUps: readonly DemoRollUp[] }[];
  /** The changes of scores and the latest scores, as rows of an export. */
  readonly rows: readonly object[];
}

/** The stored score of a series. */
interface State extends ScoreRecord {
  readonly engine: Engine;
  readonly raw: object;
  readonly reported_at: number;
  readonly scorer: string;
  /** The last change of the score, as the service records it. */
  readonly change: { readonly at: string; readonly former?: number; readonly cause: "report" | "rules" };
}

/**
 * Simulates the year that ends now.
 *
 * @param waivers all waivers of the year, including those that ended
 */
export function demoYear(now: Date, waivers: readonly DemoWaiver[]): DemoYear {
  const decided = waivers.map((waiver) => ({ ...waiver, created_at: approvedAt(waiver) }));
  const days: DemoYear["days"][number][] = [];
  const rows: object[] = [];
  const firstDay = Math.floor(now.getTime() / dayMs) - (demoDays - 1);
  const all = demoSeries();
  const states = new Map<Series, State>();
  for (let day = 0; day < demoDays; day++) {
    const midnight = new Date((firstDay + day) * dayMs);
    if (day > 0) {
      const { apps, teams, areas } = rollUp(demoEngine.scorecards, states.values(), midnight, decided);
      days.push({ day: midnight.toISOString().slice(0, 10), rollUps: [...apps, ...teams, ...areas] });
    }
    const engine = day < demoDays - 1 - rulesChangedDaysAgo ? formerEngine : demoEngine;
    for (const series of all) {
      const raw = series.rawOn(day);
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

/** When a waiver came into force; null if it never did. */
function approvedAt({ decision, decided_at = "" }: DemoWaiver): string | null {
  return decision === "approved" ? decided_at : null;
}

interface Result {
  readonly engine: Engine;
  readonly raw: object;
  readonly at: number;
}

/** The stored score after a result. The same values under the same rules are not scored again. */
function nextState(former: State | undefined, { key }: Series, { engine, raw, at }: Result): State {
  if (former && former.raw === raw && former.engine === engine) return { ...former, reported_at: at };
  const { score, scorer } = engine.score(key.scorecard, key.metric, raw);
  const state = { ...key, engine, raw, reported_at: at, score, scorer };
  if (former?.score === score && former.scorer === scorer) return { ...state, change: former.change };
  const isChangeOfRules = former && former.scorer !== scorer && isDeepStrictEqual(former.raw, raw);
  const change = { at: new Date(at).toISOString(), cause: isChangeOfRules ? "rules" : "report" } as const;
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
