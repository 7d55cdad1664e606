import { parseArgs } from "node:util";
import { query, withDatabase } from "../test/support/postgres.ts";
import { load } from "./load.ts";
import { type MadeUpScore, organisation } from "./organisation.ts";
import { type Running, startPostgres, startService } from "./processes.ts";
import { fillReported } from "./reported.ts";
import { fillStore } from "./sides.ts";
import { type Row, table } from "./table.ts";

/**
 * `pnpm bench moves`: what former names cost a report, and how long it takes to move, merge, retire and restore in an
 * organisation of 20,000 applications with 15 metrics each. `--parts former-names,actions` does one of them alone.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "4" },
    seconds: { type: "string", default: "4" },
    parts: { type: "string", default: "former-names,actions" },
  },
});
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];
const parts = options.parts.split(",");

/** Applications that were called otherwise once, of those that the load reports. */
const moved = 5_000;

/** Applications of the team that moves, and days of which its roll-ups are recorded. */
const [teamApps, days] = [500, 90];

const postgres = await startPostgres();
const rows: Row[] = [];
if (parts.includes("former-names")) rows.push(...(await formerNames()));
if (parts.includes("actions")) rows.push(...(await actions()));
await postgres.stop();
console.log(table(rows));

/** Reports where nothing ever moved, and where half of the applications have. */
async function formerNames(): Promise<Row[]> {
  const sides = { ours: await startSide("moved"), peer: await startSide("unmoved") };
  for (const { running } of Object.values(sides)) await fillReported(running.url);
  await query(
    sides.ours.databaseUrl,
    `INSERT INTO names (area, team, app, application_id)
     SELECT area, team, replace(app, 'application', 'former'), id
     FROM applications WHERE substr(app, 13)::int < ${moved}`,
  );
  const row = (what: string, peerName: string) => {
    const figures = { ours: [] as number[], peer: [] as number[] };
    rows.push({ what: `POST /score, 32 connections, ${what}`, unit: "/s", ...figures, peerName, higherIsBetter: true });
    return figures;
  };
  const rows: Row[] = [];
  const known = row(`${moved.toLocaleString("en-US")} former names`, "no former name");
  const fresh = row("the first report of each metric", "no former name");
  const former = row("under former names", "under the new ones");
  for (let round = 0; round <= rounds; round++) {
    process.stderr.write(`former names, round ${round} of ${rounds}; the first only warms up\n`);
    const measured: [{ ours: number[]; peer: number[] }, (side: "ours" | "peer") => Promise<number>][] = [
      [known, async (side) => rate(sides[side].running)],
      [
        former,
        async (side) =>
          rate(sides.ours.running, { APPS: String(moved), APP: side === "ours" ? "former" : "application" }),
      ],
      [
        fresh,
        async (side) => {
          await query(sides[side].databaseUrl, "TRUNCATE scores, score_changes");
          return rate(sides[side].running);
        },
      ],
    ];
    for (const [figures, measure] of measured) {
      for (const side of round % 2 === 0 ? (["ours", "peer"] as const) : (["peer", "ours"] as const)) {
        const perSecond = await measure(side);
        if (round > 0) figures[side].push(perSecond);
      }
    }
    for (const { running } of Object.values(sides)) await fillReported(running.url);
  }
  await Promise.all(Object.values(sides).map(({ running }) => running.stop()));
  return rows;
}

function rate({ url }: Running, environment: Record<string, string> = {}): number {
  Object.assign(process.env, environment);
  const { perSecond } = load(url, "score", 32, seconds);
  for (const name of Object.keys(environment)) delete process.env[name];
  return perSecond;
}

async function startSide(name: string): Promise<{ databaseUrl: string; running: Running }> {
  await query(postgres.url, `CREATE DATABASE ${name}`);
  const databaseUrl = withDatabase(postgres.url, name);
  return { databaseUrl, running: await startService(databaseUrl) };
}

/** In each round a team gets another name, and joins a team whose applications have the names of its own. */
async function actions(): Promise<Row[]> {
  const { databaseUrl, running } = await startSide("actions");
  await fillStore(databaseUrl, teams());
  await recordDays(databaseUrl);
  const times = { move: [] as number[], merge: [] as number[], retire: [] as number[], restore: [] as number[] };
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`actions, round ${round} of ${rounds}\n`);
    const [from, renamed, to] = [`team-${round}`, `renamed-${round}`, `other-${round}`].map((team) => ({
      area: "area-0",
      team,
    }));
    const app = { area: "area-0", team: "others-0", app: `application-${20_000 - round}` };
    times.move.push(await act(running, "move", { from, to: renamed }));
    times.merge.push(await act(running, "move", { from: renamed, to, merge: true }));
    times.retire.push(await act(running, "retire", { ...app, reason: "gone" }));
    times.restore.push(await act(running, "restore", app));
  }
  await running.stop();
  const row = (what: string, ours: readonly number[], target: number): Row => ({
    ...{ what, unit: "ms", ours, peer: ours.map(() => target), peerName: "target", higherIsBetter: false },
  });
  const size = `${teamApps} of 20,000 applications, ${(15 * teamApps).toLocaleString("en-US")} of 300,000 scores`;
  return [
    row(`a team gets another name: ${size}`, times.move, 2_000),
    row("it joins a team with applications of the same names", times.merge, 2_000),
    row("an application is retired", times.retire, 2_000),
    row("it is restored", times.restore, 2_000),
  ];
}

/** Milliseconds of an action. */
async function act({ url }: Running, kind: string, body: object): Promise<number> {
  const begin = performance.now();
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/apps/${kind}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${kind} failed: ${text}`);
  return performance.now() - begin;
}

/** For each round two teams with applications of the same names, and all others in one. */
function* teams(): Generator<MadeUpScore> {
  for (const score of organisation(300_000)) {
    const number = 2 * Number(score.app.slice("application-".length)) + (score.env === "prod" ? 0 : 1);
    const place = Math.floor(number / teamApps);
    const isPaired = place < 2 * rounds;
    const team = isPaired ? `${place % 2 === 0 ? "team" : "other"}-${1 + Math.floor(place / 2)}` : "others-0";
    const app = `application-${isPaired ? number % teamApps : number}`;
    yield { ...score, area: "area-0", team, app, env: "prod" };
  }
}

/** The roll-ups of all applications on some days. */
async function recordDays(databaseUrl: string): Promise<void> {
  await query(databaseUrl, "INSERT INTO roll_up_targets (target_id) SELECT id FROM targets");
  await query(
    databaseUrl,
    `INSERT INTO roll_up_days (target_id, day, score, reported, fresh)
     SELECT id, current_date - number, 50, 1, 1 FROM roll_up_targets_by_name, generate_series(1, ${days}) AS number
     WHERE team <> 'others-0'`,
  );
  await query(databaseUrl, "VACUUM ANALYZE");
}
