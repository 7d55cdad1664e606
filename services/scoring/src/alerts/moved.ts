import type { Knex } from "knex";
import { type Place, problemText } from "./message.ts";

/**
 * Gives the messages about the applications of the temporary table `moving` their new names, those that wait and those
 * that were given up. In the transaction of the move.
 */
export async function renameAlerts(trx: Knex): Promise<void> {
  const { rows }: { rows: (Place & To & { readonly id: string; readonly text: string })[] } = await trx.raw(`
    SELECT id, area, team, app, env, problem_type, text, to_area, to_team, to_app
    FROM alerts JOIN moving USING (area, team, app)
    FOR UPDATE OF alerts
  `);
  const renamed = rows.map(({ id, text, to_area: area, to_team: team, to_app: app, ...place }) => {
    const target = { area, team, app };
    return { id, ...target, text: text.replace(problemText(place), () => problemText({ ...place, ...target })) };
  });
  if (renamed.length === 0) return;
  await trx.raw(
    `
    UPDATE alerts SET area = renamed.area, team = renamed.team, app = renamed.app, text = renamed.text
    FROM json_to_recordset(?::json) AS renamed (id uuid, area text, team text, app text, text text)
    WHERE alerts.id = renamed.id
    `,
    [JSON.stringify(renamed)],
  );
}

interface To {
  readonly to_area: string;
  readonly to_team: string;
  readonly to_app: string;
}
