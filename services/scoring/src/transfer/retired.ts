import type { Knex } from "knex";
import { type AppName, shownName } from "../model/app-name.ts";
import { lockNames } from "../store/moving/lock-names.ts";
import { amountOf, retireApp } from "../store/moving/retire.ts";
import type { Added } from "./aliases.ts";

/** A retired application of the file that is not retired here. */
interface NewlyRetired extends AppName {
  readonly reason: string;
  /** Is it in use under the name that it has here, in the file or by a later report here? */
  readonly is_used: boolean;
  /** Is there anything of it here? */
  readonly is_here: boolean;
}

/**
 * Adds the retired applications of the file, and says of all collected scores and problems whether their application is
 * retired. What is here of an application retires with it, unless it was reported or registered here after it was retired.
 */
export async function addRetired(trx: Knex): Promise<Added> {
  await lockNames(trx, await notRetiredHere(trx));
  const fresh = await newlyRetired(trx);
  const used = fresh.filter(({ is_used }) => is_used);
  const added = fresh.filter(({ is_used }) => !is_used);
  const retired: string[] = [];
  for (const one of added.filter(({ is_here }) => is_here)) {
    if (!(await amountOf(trx, one))) continue;
    await retireApp(trx, one, one.reason);
    retired.push(`retired ${shownName(one)}, as in the file`);
  }
  await insertRetired(trx, added);
  const kept = await markRetired(trx);
  return {
    count: added.length,
    notes: [
      ...retired,
      ...used.map((one) => `did not retire ${shownName(one)}: it is in use since`),
      ...kept.map(
        (one) =>
          `stored what the file has of ${shownName(one)} with it: it is retired here; maturity apps restore brings it back`,
      ),
    ],
  };
}

/** Each name once, as it was retired last. */
const staged = `
  SELECT DISTINCT ON (area, team, app) * FROM imported_retired_apps
  ORDER BY area, team, app, retired_at DESC
`;

const isFresh = `NOT EXISTS (
  SELECT FROM retired_apps AS known WHERE (known.area, known.team, known.app) = (staged.area, staged.team, staged.app)
)`;

async function notRetiredHere(trx: Knex): Promise<AppName[]> {
  const { rows } = await trx.raw(`SELECT area, team, app FROM (${staged}) AS staged WHERE ${isFresh}`);
  return rows;
}

async function newlyRetired(trx: Knex): Promise<NewlyRetired[]> {
  const { rows } = await trx.raw(`
    WITH staged AS (${staged}),
    here AS (
      SELECT area, team, app, max(at) AS last_at
      FROM (
        SELECT area, team, app, reported_at AS at FROM scores
        UNION ALL SELECT area, team, app, reported_at FROM problems
        UNION ALL SELECT area, team, app, registered_at FROM apps
      ) AS used
      GROUP BY area, team, app
    ),
    in_file AS (
      SELECT area, team, app FROM imported_scores WHERE NOT retired
      UNION SELECT area, team, app FROM imported_problems WHERE NOT retired
      UNION SELECT area, team, app FROM imported_apps
    )
    SELECT area, team, app, reason, here.area IS NOT NULL AS is_here,
      coalesce(last_at > retired_at, false) OR in_file.area IS NOT NULL AS is_used
    FROM staged LEFT JOIN here USING (area, team, app) LEFT JOIN in_file USING (area, team, app)
    WHERE ${isFresh}
  `);
  return rows;
}

/** What was registered here stays; what retired here just now gets the time of the file. */
async function insertRetired(trx: Knex, added: readonly AppName[]): Promise<void> {
  await trx.raw(
    `
    INSERT INTO retired_apps AS former (area, team, app, reason, retired_at, owner, repo, tier, labels, registered_at)
    SELECT area, team, app, reason, retired_at, owner, repo, tier, labels, registered_at
    FROM (${staged}) AS staged JOIN json_to_recordset(?::json) AS added (area text, team text, app text)
      USING (area, team, app)
    ON CONFLICT (area, team, app) DO UPDATE SET retired_at = excluded.retired_at
    `,
    [JSON.stringify(added.map(({ area, team, app }) => ({ area, team, app })))],
  );
}

/** Returns the applications that are in use in the file and retired here. */
async function markRetired(trx: Knex): Promise<AppName[]> {
  const isRetired = (row: string) => `EXISTS (
    SELECT FROM retired_apps AS known WHERE (known.area, known.team, known.app) = (${row}.area, ${row}.team, ${row}.app)
  )`;
  const { rows } = await trx.raw(`
    SELECT DISTINCT area, team, app
    FROM (
      SELECT area, team, app FROM imported_scores WHERE NOT retired
      UNION ALL SELECT area, team, app FROM imported_problems WHERE NOT retired
    ) AS used
    WHERE ${isRetired("used")}
    ORDER BY area, team, app
  `);
  for (const state of ["scores", "problems"]) {
    await trx.raw(`
      UPDATE imported_${state} AS one SET retired = NOT retired WHERE retired <> ${isRetired("one")}
    `);
  }
  return rows;
}
