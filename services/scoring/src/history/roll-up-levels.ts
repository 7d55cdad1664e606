import { type AppScore, type Rolled, rollUpAreas, rollUpTeams, type TeamScore } from "@maturity/core";
import type { RollUpTarget } from "../store/roll-up-days.ts";

/** The roll-up of one target. `count` and `lowest` are of teams and areas. */
export interface TargetRollUp extends RollUpTarget, Rolled {
  readonly count?: number;
  readonly lowest?: number;
}

/**
 * Gives the roll-ups of applications, and behind them those of their teams and areas, as `rollUp` makes them. Only the
 * applications of one team and the teams of one area are held.
 *
 * @param apps in the order of area and team
 */
export async function* rollUpLevels(apps: AsyncIterable<AppScore>): AsyncGenerator<TargetRollUp> {
  let team: Omit<AppScore, "scorecards">[] = [];
  let area: TeamScore[] = [];
  for await (const { scorecards: _, ...app } of apps) {
    const [last] = team;
    if (last && (last.team !== app.team || last.area !== app.area)) yield* closeTeam();
    if (area[0] && area[0].area !== app.area) yield* closeArea();
    team.push(app);
    yield app;
  }
  yield* closeTeam();
  yield* closeArea();

  function* closeTeam(): Generator<TargetRollUp> {
    const closed = rollUpTeams(team);
    area.push(...closed);
    team = [];
    yield* closed;
  }

  function* closeArea(): Generator<TargetRollUp> {
    yield* rollUpAreas(area);
    area = [];
  }
}
