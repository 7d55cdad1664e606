import { Agent } from "node:http";
import { parseArgs } from "node:util";
import { query, withDatabase } from "../test/support/postgres.ts";
import { ask } from "./ask.ts";
import { startPostgres, startService } from "./processes.ts";
import { fillReported } from "./reported.ts";
import { medianOf, type Row, table } from "./table.ts";

/**
 * `pnpm bench ended-waivers`: how long a waiver and a scrape of 40,000 scores take beside waivers that are over, and beside
 * none, each with a database of its own on one server, in turn.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    ended: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
    requests: { type: "string", default: "30" },
  },
});
const [ended, rounds, requests] = [Number(options.ended), Number(options.rounds), Number(options.requests)];

const agent = new Agent({ keepAlive: true });
const postgres = await startPostgres();
const sides = { ours: await startSide("ended", ended), peer: await startSide("none", 0) };
const figures = new Map<string, Row & { ours: number[]; peer: number[] }>();
for (let round = 0; round <= rounds; round++) {
  process.stderr.write(`ended waivers, round ${round} of ${rounds}; the first only warms up\n`);
  for (const side of round % 2 === 0 ? (["ours", "peer"] as const) : (["peer", "ours"] as const)) {
    const { url } = sides[side];
    const waivers = await inTurn(requests, (index) => waive(url, `application-${index % 20}`));
    const scrapes = await inTurn(5, async () => (await ask(agent, `${url}/metrics`)).milliseconds);
    if (round === 0) continue;
    note("POST /waivers, p50", side, medianOf(waivers));
    note("POST /waivers, slowest", side, Math.max(...waivers));
    note("GET /metrics, p50", side, medianOf(scrapes));
  }
}
console.log(table([...figures.values()]));
agent.destroy();
await Promise.all(Object.values(sides).map(({ stop }) => stop()));
await postgres.stop();

async function inTurn(count: number, run: (index: number) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await run(index));
  return times;
}

function note(what: string, side: "ours" | "peer", figure: number): void {
  const row = figures.get(what) ?? {
    ...{ what: `${what}, beside ${ended.toLocaleString("en-US")} that are over`, unit: "ms", ours: [], peer: [] },
    ...{ peerName: "beside none", higherIsBetter: false },
  };
  row[side].push(figure);
  figures.set(what, row);
}

/** Makes a waiver, and returns the milliseconds until its answer. Any answer that is no success ends the bench. */
async function waive(url: string, app: string): Promise<number> {
  const waiver = {
    ...{ kind: "not_applicable", area: "area-0", team: "team-0", app, scorecard: "security", metric: "dast" },
    ...{ reason: "a library", owner: "ann" },
  };
  const began = performance.now();
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/waivers`, { method: "POST", headers, body: JSON.stringify(waiver) });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`a waiver was answered with ${answer.status}: ${text}`);
  return performance.now() - began;
}

/** Half of the waivers that are over were revoked; they are of 10,000 applications. */
async function startSide(name: string, over: number) {
  const databaseUrl = withDatabase(postgres.url, name);
  await query(postgres.url, `CREATE DATABASE ${name}`);
  const running = await startService(databaseUrl);
  await fillReported(running.url);
  await query(
    databaseUrl,
    `INSERT INTO waivers (kind, area, team, app, scorecard, metric, reason, owner, requested_at, requested_by, decision, decided_at, decided_by,
       expires_at, revoked_at, revoked_by)
     SELECT 'accepted', 'area-' || number % 10000 / 200, 'team-' || number % 10000 / 20, 'application-' || number % 10000,
       'security', 'dast', 'none', 'ann', now() - interval '99 days', 'ann', 'approved', now() - interval '99 days', 'ann', now() + (number % 2 * 9 - 6) * interval '1 day',
       CASE WHEN number % 2 = 1 THEN now() - interval '3 days' END, CASE WHEN number % 2 = 1 THEN 'ann' END
     FROM generate_series(1, $1::int) AS number`,
    [over],
  );
  await query(databaseUrl, "VACUUM ANALYZE");
  return running;
}
