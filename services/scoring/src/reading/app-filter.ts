import type { Engine, Level } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import Joi from "joi";
import { several } from "../lists/query.ts";
import { name } from "../model/fields.ts";
import { noLevel } from "../model/level.ts";
import { excludedOf, ownLabel } from "../rollups/exemptions.ts";
import { oldestReportedAt } from "../rollups/metric-scores.ts";
import type { App, UnscoredApp } from "../rollups/organisation.ts";
import { belowLevelParameter, levelParameter } from "./level.ts";

/** The states of an application. */
export const appStates = ["fresh", "stale", "silent", "held"] as const;

type AppState = (typeof appStates)[number];

/** Which applications a query of the list of applications wants. */
export interface AppFilter {
  readonly missing?: readonly string[] | undefined;
  readonly level?: readonly string[] | undefined;
  readonly below_level?: string | undefined;
  readonly state?: readonly AppState[] | undefined;
  readonly owner?: readonly string[] | undefined;
  readonly tier?: readonly string[] | undefined;
  readonly label?: readonly string[] | undefined;
  readonly reported?: boolean | undefined;
}

/** The state of an application: that of its results as a whole. */
export function stateOf(app: App | UnscoredApp): AppState {
  if ("isHeld" in app) return "held";
  if (oldestReportedAt(app.metricScores) === null) return "silent";
  return app.fresh < app.reported ? "stale" : "fresh";
}

const namesOf = () => several(name(200));

/** The parameters of an `AppFilter`. */
export function appFilterParameters(engine: Engine, levels: readonly Level[]): Joi.PartialSchemaMap {
  const scorecards = engine.scorecards.map((scorecard) => scorecard.name);
  return {
    missing: several(Joi.valid(...scorecards, ...metricIds(engine.scorecards))).description(
      "Only those that never reported one of these metrics, such as `security.dast`, or any metric of one of these scorecards, such as `security`; what is waived or exempt is not missing",
    ),
    level: levelParameter(levels),
    below_level: belowLevelParameter(levels),
    state: several(Joi.valid(...appStates)).description(
      "Only those in one of these states. `fresh`: no result that counts is stale; `stale`: at least one is; `silent`: no result at all; `held`: it reported and waits to be registered, so it counts nowhere. Those that are held are listed only if they are asked for",
    ),
    owner: namesOf().description("Only those that are registered with one of these owners"),
    tier: namesOf().description("Only those that are registered with one of these tiers"),
    label: several(
      Joi.string()
        .max(1_300)
        .pattern(/^[^=]+=/)
        .messages({ "string.pattern.base": "must be a name and a value, such as kind=service" }),
    ).description(
      "Only those that are registered with this label, such as `kind=service`; several values of a label mean any of them, and all labels must fit",
    ),
    reported: Joi.boolean().description(
      "`false`: only those that are registered and have reported nothing, which are in no environment; `true`: only the others",
    ),
  };
}

/** Makes a function that says whether a filter fits an application. A held one fits only where the state `held` is wanted. */
export function createAppFilter(
  { missing, level, below_level: belowLevel, state, owner, tier, label, reported }: AppFilter,
  { scorecards }: Engine,
  levels: readonly Level[],
): (app: App | UnscoredApp) => boolean {
  const isMissing = missing?.map((wanted) => createIsMissing(wanted, scorecards));
  const below =
    belowLevel === undefined ? Number.POSITIVE_INFINITY : 1 + levels.findIndex(({ name }) => name === belowLevel);
  const labels = Map.groupBy(label?.map(splitLabel) ?? [], ([key]) => key);
  return (app) => {
    const { registration } = app;
    return (
      (level?.includes(app.level?.name ?? noLevel) ?? true) &&
      (app.level?.rank ?? 0) < below &&
      (isMissing?.some((isIt) => isIt(app)) ?? true) &&
      (state?.includes(stateOf(app)) ?? !("isHeld" in app)) &&
      (owner?.includes(registration?.owner ?? "") ?? true) &&
      (tier?.includes(registration?.tier ?? "") ?? true) &&
      [...labels].every(([key, values]) => values.some(([, value]) => ownLabel(registration?.labels, key) === value)) &&
      (reported === undefined || reported === (app.env !== null))
    );
  };
}

/** @param wanted a metric as `scorecard.metric`, or a scorecard */
function createIsMissing(wanted: string, scorecards: Engine["scorecards"]): (app: App | UnscoredApp) => boolean {
  const own = [...metricIds(scorecards).entries()].flatMap(([index, id]) =>
    id === wanted || id.startsWith(`${wanted}.`) ? [index] : [],
  );
  return (app) => {
    if ("isHeld" in app || own.some((index) => app.metricScores.at(index))) return false;
    const excluded = excludedOf(scorecards, app.exemptions, app.waivers);
    return own.some((index) => !excluded[index]);
  };
}

/** The value may have further equals signs. */
function splitLabel(label: string): readonly [name: string, value: string] {
  const at = label.indexOf("=");
  return [label.slice(0, at), label.slice(at + 1)];
}
