import type { Average, Rolled, ScorecardScore, Target } from "@maturity/core";
import { labelSet } from "../model/label-set.ts";
import { noLevel } from "../model/level.ts";
import type { App } from "../rollups/organisation.ts";
import type { RollUps } from "../rollups/roll-ups.ts";
import { yieldToEventLoop } from "../store/slices.ts";
import { type Described, header } from "./series.ts";

/** A series of roll-ups. Its name is that of the recording rule, with `_` for `:`. */
interface RollUpSeries<Item> extends Described {
  /** The value; undefined if the item has no such series. */
  readonly read: (item: Item) => number | undefined;
}

const scorecardSeries: readonly RollUpSeries<Rolled>[] = rolledSeries("scorecard", "a scorecard of an application");
const appSeries: readonly RollUpSeries<Rolled>[] = rolledSeries("app", "an application");
const teamSeries = averageSeries("team", "a team, the average of its applications", "apps", "applications");
const areaSeries = averageSeries("area", "an area, the average of its teams", "teams", "teams");

function rolledSeries(level: string, what: string): RollUpSeries<Rolled>[] {
  return [
    { name: `maturity_${level}_score`, help: `Score of ${what}, 0 to 100.`, read: ({ score }) => score },
    {
      name: `maturity_${level}_reported_ratio`,
      help: `Share of the weight that reported, of what is neither waived nor exempt, of ${what}, above 0 and up to 1.`,
      read: ({ reported }) => reported,
    },
    {
      name: `maturity_${level}_fresh_ratio`,
      help: `Share of the weight that reported and is not stale, of ${what}, 0 to the share reported.`,
      read: ({ fresh }) => fresh,
    },
    {
      name: `maturity_${level}_waived`,
      help: `Share of the whole weight that is waived, of ${what}; there is none where nothing is.`,
      read: ({ waived }) => (waived > 0 ? waived : undefined),
    },
    {
      name: `maturity_${level}_exempt`,
      help: `Share of the whole weight that the policy exempts, of ${what}; there is none where nothing is.`,
      read: ({ exempt }) => (exempt > 0 ? exempt : undefined),
    },
  ];
}

function averageSeries(level: string, what: string, parts: string, name: string): RollUpSeries<Average>[] {
  return [
    ...rolledSeries(level, what),
    {
      name: `maturity_${level}_${parts}`,
      help: `How many ${name} the average is made of.`,
      read: ({ count }) => count,
    },
    {
      name: `maturity_${level}_lowest_score`,
      help: `The lowest score among the ${name}, 0 to 100.`,
      read: ({ lowest }) => lowest,
    },
  ];
}

interface OfScorecard extends ScorecardScore {
  readonly target: Target;
}

/** Writes roll-ups as series, in pieces, without blocking the event loop for long. */
export async function* rollUpLines(rollUps: RollUps): AsyncGenerator<string> {
  const [apps, teams, areas] = [rollUps.apps, await rollUps.teams(), await rollUps.areas()];
  const cards: OfScorecard[] = [];
  for (const target of apps) {
    await yieldToEventLoop();
    for (const scorecard of target.scorecards) cards.push({ ...scorecard, target });
  }
  yield* familiesOf(cards, scorecardSeries, ({ target: { area, team, app, env }, scorecard }) => ({
    ...{ area, team, app, env, scorecard },
  }));
  yield* familiesOf(apps, appSeries, ({ area, team, app, env }) => ({ area, team, app, env }));
  yield* familiesOf(teams, teamSeries, ({ area, team, env }) => ({ area, team, env }));
  yield* familiesOf(areas, areaSeries, ({ area, env }) => ({ area, env }));
}

const levelSeries: RollUpSeries<App> = {
  name: "maturity_app_level",
  help: "Rank of the level of an application, 1 for the lowest; 0 without a level.",
  read: ({ level }) => level?.rank ?? 0,
};

/** Writes the levels of applications as series, in pieces; nothing if there are no levels. */
export async function* levelLines(rollUps: RollUps): AsyncGenerator<string> {
  const apps = rollUps.apps.filter(({ level }) => level !== null);
  yield* familiesOf(apps, [levelSeries], ({ area, team, app, env, level }) => ({
    ...{ area, team, app, env, level: level?.name ?? noLevel },
  }));
}

/** The number of lines of a piece. */
const pieceLines = 500;

async function* familiesOf<Item>(
  items: readonly Item[],
  series: readonly RollUpSeries<Item>[],
  labelsOf: (item: Item) => Readonly<Record<string, string>>,
): AsyncGenerator<string> {
  const labels: string[] = [];
  for (const item of items) {
    await yieldToEventLoop();
    labels.push(labelSet(labelsOf(item)));
  }
  for (const { read, ...family } of series) {
    yield header(family);
    for (let start = 0; start < items.length; start += pieceLines) {
      await yieldToEventLoop();
      const piece = items.slice(start, start + pieceLines).map((item, index) => {
        const value = read(item);
        return value === undefined ? "" : `${family.name}${labels[start + index]} ${value}\n`;
      });
      yield piece.join("");
    }
  }
}
