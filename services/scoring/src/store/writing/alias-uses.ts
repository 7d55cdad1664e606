import type { Knex } from "knex";
import type { Alias } from "../names.ts";

/** How often a use of an alias is noted, in milliseconds: a pipeline may report each second. */
const noteMs = 60_000;

/** How long uses are gathered, in milliseconds: after a reorganisation thousands of names may be used for the first time. */
const gatherMs = 1_000;

/**
 * Makes a function that notes in the database when aliases are used. Nobody waits for it, and nothing depends on it: a
 * use that is not noted now is noted with a later report.
 */
export function createAliasUses(knex: Knex): (aliases: readonly Alias[]) => void {
  const noted = new WeakMap<Alias, number>();
  let used: Alias[] = [];

  function write(): void {
    const aliases = used;
    used = [];
    const names = JSON.stringify(aliases.map(({ area, team, app }) => ({ area, team, app })));
    knex.raw(noteUse, [names]).catch(() => {
      for (const alias of aliases) noted.delete(alias);
    });
  }

  return (aliases) => {
    const now = performance.now();
    for (const alias of aliases) {
      if (now - (noted.get(alias) ?? Number.NEGATIVE_INFINITY) < noteMs) continue;
      noted.set(alias, now);
      if (used.length === 0) setTimeout(write, gatherMs).unref();
      used.push(alias);
    }
  };
}

/** It passes over what a move has locked: two that wait for each other's rows would end one of the two. */
const noteUse = `
  WITH used AS (
    SELECT area, team, app
    FROM app_aliases JOIN json_to_recordset(?::json) AS used (area text, team text, app text) USING (area, team, app)
    WHERE used_at IS NULL OR used_at < now() - interval '1 minute'
    FOR NO KEY UPDATE OF app_aliases SKIP LOCKED
  )
  UPDATE app_aliases SET used_at = now()
  FROM used
  WHERE (app_aliases.area, app_aliases.team, app_aliases.app) = (used.area, used.team, used.app)
`;
