import { parseArgs } from "node:util";
import { query } from "../test/support/postgres.ts";
import { startPostgres, startService } from "./processes.ts";
import { generateYear, sizes } from "./year.ts";

/**
 * `pnpm bench history-reads`: the sizes of a year of history of 300,000 scores, and how long its answers take. It
 * generates the database, which takes about ten minutes, or less with fewer `--weeks`, unless `--database` names one that it
 * has generated before.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: "string" },
    requests: { type: "string", default: "100" },
    generate: { type: "boolean", default: false },
    weeks: { type: "string", default: "52" },
  },
});
const requests = Number(options.requests);
const postgres = options.database === undefined ? await startPostgres([]) : undefined;
const databaseUrl = options.database ?? postgres?.url ?? "";
if (postgres || options.generate) await generateYear(databaseUrl, Number(options.weeks));
console.log(`${await sizes(databaseUrl)}\n`);

const service = await startService(databaseUrl);
const env = "prod";
const app = (number: number) => {
  const team = Math.floor(number / 20);
  return { area: `area-${Math.floor(team / 10)}`, team: `team-${team}`, app: `application-${number}` };
};
const any = () => app(Math.floor(Math.random() * 10_000));
const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);

interface Asked {
  readonly path: string;
  readonly count: number;
  query(index: number): object;
}

/** No two requests are the same, so that none is answered from an earlier reading. */
const asked: Readonly<Record<string, Asked>> = {
  "GET /history, a year of one metric": {
    ...{ path: "/history", count: requests },
    query: () => ({ ...any(), env, scorecard: "security", metric: "sast" }),
  },
  "GET /history, a year of one application": {
    ...{ path: "/history", count: requests },
    query: () => ({ ...any(), env, limit: 1_000 }),
  },
  "GET /history, a year of one team": {
    ...{ path: "/history", count: requests },
    query: () => ({ ...any(), app: undefined, env, limit: 1_000 }),
  },
  "GET /changes of one application, 30 days": {
    ...{ path: "/changes", count: requests },
    query: (index) => ({ ...app(index * 7), since: day(30) }),
  },
  "GET /changes of one team, 30 days": {
    ...{ path: "/changes", count: requests },
    query: (index) => ({ ...app(index * 20), app: undefined, since: day(30) }),
  },
  "GET /changes of one team named without its area": {
    ...{ path: "/changes", count: requests },
    query: (index) => ({ team: app(index * 20).team, since: day(30) }),
  },
  "GET /changes of the organisation, 30 days": {
    ...{ path: "/changes", count: Math.ceil(requests / 10) },
    query: (index) => ({ since: day(30), env: ["prod", "staging", `none-${index}`] }),
  },
};

console.log("| request | p50 | p95 | slowest |\n|---|---|---|---|");
for (const [what, one] of Object.entries(asked)) await measure(what, one);
for (const [every, what] of [
  [5, "one team in five"],
  [1, "each team"],
] as const) {
  await waive(every);
  const organisation = "GET /changes of the organisation, 30 days";
  if (asked[organisation]) await measure(`${organisation}, ${what} has a new waiver`, asked[organisation]);
}
await service.stop();
await postgres?.stop();

/** Waives a metric of so many teams from now on, and waits until every roll-up knows it. */
async function waive(every: number): Promise<void> {
  await query(
    databaseUrl,
    `DELETE FROM waivers;
     INSERT INTO waivers (kind, area, team, scorecard, metric, reason, owner, requested_at, requested_by, decision, decided_at, decided_by)
     SELECT 'not_applicable', area, team, 'security', 'dast', 'a library', 'ann', now(), 'bench', 'approved', now(), 'bench'
     FROM (SELECT DISTINCT area, team FROM applications) AS teams WHERE substr(team, 6)::int % ${every} = 0`,
  );
  await new Promise((resolve) => setTimeout(resolve, 16_000));
}

async function measure(what: string, { path, count, query: queryOf }: Asked): Promise<void> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const parameters = Object.entries(queryOf(index)).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)] as [string, string]])),
    );
    const begin = performance.now();
    const answer = await fetch(`${service.url}${path}?${new URLSearchParams(parameters)}`);
    const { items } = (await answer.json()) as { items: unknown[] };
    times.push(performance.now() - begin);
    if (!answer.ok || items.length === 0) throw new Error(`${what} was answered with ${answer.status}`);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => `${(times[Math.ceil(times.length * share) - 1] ?? Number.NaN).toFixed(0)} ms`;
  console.log(`| ${what} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`);
}
