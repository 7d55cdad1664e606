import { query } from "../../test/support/postgres.ts";

/** Reports the same number for each application at once; returns the status of each answer. */
export function sendScores(address: string, apps: readonly string[], minutes: number): Promise<number[]> {
  return Promise.all(
    apps.map(async (app) => {
      const target = { area: "faults", team: "numbers", app, env: "test" };
      const response = await fetch(`${address}/score`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...target, scorecard: "reliability", metric: "mttr", raw: { minutes } }),
      });
      await response.arrayBuffer();
      return response.status;
    }),
  );
}

/** The number of each application that is stored. */
export async function readScores(databaseUrl: string): Promise<number[]> {
  const { rows } = await query(databaseUrl, "SELECT (raw->>'minutes')::int AS minutes FROM scores_by_name");
  return rows.map(({ minutes }) => minutes);
}
