import { appKey } from "../model/app-name.ts";
import { type RegisteredApp, registeredApps } from "../store/apps.ts";
import type { Lines } from "../store/lines.ts";
import { readRows } from "../store/text-rows.ts";

/** The registry, by the names of the application in one text. */
export type Registry = ReadonlyMap<string, RegisteredApp>;

const select = `SELECT area, team, app, owner, repo, tier, labels::text FROM ${registeredApps}`;

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
      registry.set(appKey({ area, team, app }), { area, team, app, ...facts });
    }
  }
  return registry;
}
