import { appName } from "../model/app-name.ts";
import { count, type Json, object } from "../openapi/operation.ts";
import { isChanged } from "../rollups/changed-apps.ts";
import { compareRules } from "../rollups/compare-rules.ts";
import { targetId } from "../rollups/reported-apps.ts";
import type { RollUpRules } from "../rollups/rules.ts";
import type { RegisteredApp } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import { findCurrentNames } from "../store/names.ts";
import { nameProperties } from "./admin-transaction.ts";

/** The largest number of applications that an answer and an entry of the audit list. */
const maxListed = 100;

const names: Json = { type: "array", items: { type: "string" } };
const sides = (type: string): Json => object({ from: { type: [type, "null"] }, to: { type: [type, "null"] } });

/** The schema of the effect. */
export const effectSchema: Json = {
  ...object({
    rescored: { ...count, description: "How many applications get another score, each environment counted" },
    lose_level: { ...count, description: "How many fall to a lower level" },
    exempted: { ...count, description: "How many begin or cease to be exempt from a metric" },
    apps: {
      type: "array",
      items: object(
        { ...nameProperties, env: { type: "string" } },
        { score: sides("number"), level: sides("string"), begins: names, ends: names },
      ),
      description: "Each of them, with the metrics from which it begins and ceases to be exempt; the first hundred",
    },
  }),
  description: "What the rules of the policy make of the new tiers and labels: all 0 where no rule reads them",
};

/**
 * What registering applications does to their scores, the largest falls first. Those that have moved are judged by their
 * current names.
 */
export async function effectOf(
  database: Database,
  rules: RollUpRules,
  entries: readonly RegisteredApp[],
): Promise<Json & { readonly apps: readonly object[] }> {
  if (rules.applies.length === 0) return { rescored: 0, lose_level: 0, exempted: 0, apps: [] };
  const current = await findCurrentNames(database.decisions, entries);
  const registered = entries.map((entry, index) => ({ ...entry, ...(current[index]?.name ?? appName(entry)) }));
  const { changed, exempted } = await compareRules(database, rules, rules, registered);
  const apps = new Map<string, object>();
  for (const { area, team, app, env, score, level } of changed) {
    apps.set(targetId({ area, team, app, env }), { area, team, app, env, score, level });
  }
  for (const one of exempted) {
    const name = targetId(one);
    apps.set(name, { ...apps.get(name), ...one });
  }
  return {
    rescored: changed.filter(isChanged).length,
    lose_level: changed.filter(({ rise }) => rise < 0).length,
    exempted: exempted.length,
    apps: [...apps.values()].slice(0, maxListed),
  };
}
