import { createEngine, type Scorecard } from "@maturity/core";
import { loadRules } from "../../policy/load.ts";
import { changesBetween, recordedOf } from "../../policy/recorded.ts";
import { applyPolicy, noPolicy } from "../../policy/rules.ts";
import { parseScorecards } from "../config.ts";
import { loadScorecards } from "../serve/scorecards.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The scorecards of the settings, as their packages declare them. @throws as `loadScorecards` and `createEngine` */
export async function declaredScorecards(env: Env): Promise<readonly Scorecard[]> {
  return createEngine(await loadScorecards(parseScorecards(env), process.cwd())).scorecards;
}

/**
 * What a policy says, in a few lines.
 *
 * @throws ConfigError with every fault of the file
 */
export async function checkPolicy(file: string, env: Env): Promise<string> {
  const declared = await declaredScorecards(env);
  const rules = await loadRules(file, declared);
  const changes = changesBetween(recordedOf(applyPolicy(declared, noPolicy)), recordedOf(rules));
  const changed = (group: string) => changes.filter(({ setting }) => setting.startsWith(group)).length;
  const levels = rules.levels.map(({ name }) => name).join(", ");
  return [
    `The policy ${file} is in order.`,
    `Weights that differ from those of the packages: ${changed("weights.")}. Ages: ${changed("max_age_hours.")}.`,
    levels ? `Levels, from the lowest: ${levels}.` : "There are no levels.",
    "",
  ].join("\n");
}
