import { type RegisteredApp, registeredApps } from "../store/apps.ts";
import type { Lines } from "../store/lines.ts";
import { inLines, separator } from "../store/text-rows.ts";

/** What is registered, by the names of the application in one text. */
export type Registry = ReadonlyMap<string, RegisteredApp>;

const select = `SELECT area, team, app, owner, repo, tier, labels::text FROM ${registeredApps}`;

/** The names of an application in one text, as `App.id` begins with them. */
export function registryKey({ area, team, app }: Pick<RegisteredApp, "area" | "team" | "app">): string {
  return `${area}${separator}${team}${separator}${app}`;
}

/** Reads what is registered. An entry that has not changed since the reading before is the same object. */
export async function readRegistry(lines: Lines, before: Registry): Promise<Registry> {
  const registry = new Map<string, RegisteredApp>();
  for await (const rows of inLines(lines(select))) {
    for (const row of rows) {
      const [area = "", team = "", app = "", owner, repo, tier, labels = "{}"] = row.split(separator);
      const key = registryKey({ area, team, app });
      const facts = { owner: owner || null, repo: repo || null, tier: tier || null };
      const former = before.get(key);
      const entry = { area, team, app, ...facts, labels: JSON.parse(labels) };
      registry.set(key, former && JSON.stringify(former) === JSON.stringify(entry) ? former : entry);
    }
  }
  return registry;
}
