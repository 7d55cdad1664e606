import { type RegisteredApp, registeredApps } from "../store/apps.ts";
import type { Lines } from "../store/lines.ts";
import { readRows } from "../store/text-rows.ts";
import { idBy } from "./groups.ts";

/** The registry, by the names of the application in one text. */
export type Registry = ReadonlyMap<string, RegisteredApp>;

const select = `SELECT area, team, app, owner, repo, tier, labels::text FROM ${registeredApps}`;

/** The names of an application in one text, as `App.id` begins with them. */
export const registryKey: (app: Pick<RegisteredApp, "area" | "team" | "app">) => string = idBy(["area", "team", "app"]);

/**
 * Reads the registry.
 *
 * @param which a condition in SQL on the names of the applications
 */
export async function readRegistry(lines: Lines, which: string): Promise<Registry> {
  const registry = new Map<string, RegisteredApp>();
  for await (const rows of readRows(lines(`${select} WHERE ${which}`))) {
    for (const [area = "", team = "", app = "", owner, repo, tier, labels = "{}"] of rows) {
      const facts = { owner: owner || null, repo: repo || null, tier: tier || null, labels: JSON.parse(labels) };
      registry.set(registryKey({ area, team, app }), { area, team, app, ...facts });
    }
  }
  return registry;
}
