import { once } from "node:events";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import pg from "pg";
import { openDatabase } from "../src/store/database.ts";
import { organisationOf } from "../test/support/read-organisation.ts";
import { ask, type Got } from "./ask.ts";
import { load } from "./load.ts";
import { residentMegabytes, startPostgres, startService } from "./processes.ts";
import { fillStore } from "./sides.ts";
import { rollUpInSql } from "./sql-roll-up.ts";
import { type Row, table } from "./table.ts";

/**
 * `pnpm bench reading`: what the lists cost at 10,000 applications in two environments with 15 metrics each, on a
 * PostgreSQL with the settings it ships with.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    scores: { type: "string", default: "300000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "45" },
  },
});
const [scores, rounds, seconds] = [Number(options.scores), Number(options.rounds), Number(options.seconds)];
const paths = ["/areas", "/teams", "/apps"];
/** Clients that each ask for one of the paths every 15 seconds. */
const clients = 50;
const everyMs = 15_000;

const none = { peer: [], peerName: "", higherIsBetter: false } as const;
const agent = new Agent({ keepAlive: true });
const postgres = await startPostgres([]);
let service = await startService(postgres.url);
await fillStore(postgres.url, scores);
const rows = [...(await readings()), ...(await starts()), ...(await asked()), ...(await pages()), ...(await stream())];
rows.push(...(await writesBeside()));
await service.stop();
await postgres.stop();
console.log(table(rows));
process.exit();

/** Reads every score and rolls up in the process, or lets PostgreSQL roll up, either side in turn. */
async function readings(): Promise<Row[]> {
  const engine = createEngine([security, reliability, application]);
  const database = openDatabase(postgres.url, 1);
  const client = new pg.Client(postgres.url);
  await client.connect();
  const [ours, theirs, processor]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage();
    let began = performance.now();
    const { apps } = await organisationOf(database, engine);
    const [here, { user, system }] = [performance.now() - began, process.cpuUsage(before)];
    began = performance.now();
    const rolled = await rollUpInSql(client, engine);
    const there = performance.now() - began;
    const found = new Map(apps.map(({ app, env, score }) => [`${app} ${env}`, score]));
    const differs = rolled.filter(({ app, env, score }) => Math.abs((found.get(`${app} ${env}`) ?? -1) - score) > 1e-9);
    if (differs.length > 0 || rolled.length !== apps.length) throw new Error("the two roll-ups differ");
    if (round === 0) continue; // the first one fills caches
    ours.push(here);
    theirs.push(there);
    processor.push((user + system) / 1_000);
  }
  await client.end();
  await database.close();
  const what = `a reading of the roll-ups of ${scores.toLocaleString("en-US")} scores`;
  return [
    { what, unit: "ms", ours, peer: theirs, peerName: "rolled up by SQL", higherIsBetter: false },
    { what: "its processor time in the service", unit: "ms", ours: processor, ...none },
  ];
}

/** The first answer of a service that has just started. */
async function starts(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of paths) {
    const ours: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await service.stop();
      service = await startService(postgres.url);
      ours.push((await get(path)).milliseconds);
    }
    rows.push({ what: `first GET ${path} after a start`, unit: "ms", ours, ...none });
  }
  return rows;
}

/** What clients wait that ask every 15 seconds, and how often the service reads the table for them. */
async function asked(): Promise<Row[]> {
  const before = await tableScans();
  const times = await askFor(seconds);
  const scans = (await tableScans()) - before;
  return [
    ...paths.map((path) => ({
      ...{ what: `GET ${path}, ${clients} clients every ${everyMs / 1_000} s: p95`, unit: "ms", ...none },
      ours: [percentile(times.get(path) ?? [], 0.95)],
    })),
    { what: `readings of the table in ${seconds} s of that`, unit: "", ours: [scans], ...none },
  ];
}

/** Lets the clients ask for so long, in a thread of their own, and gives what each path took them in milliseconds. */
async function askFor(seconds: number): Promise<Map<string, number[]>> {
  const workerData = { url: service.url, paths, clients, everyMs, seconds };
  const [times] = await once(new Worker(new URL("askers.ts", import.meta.url), { workerData }), "message");
  return times;
}

/** How often the table of scores was read from one end to the other. */
async function tableScans(): Promise<number> {
  await sleep(1_500); // the database counts late
  const client = new pg.Client(postgres.url);
  await client.connect();
  const { rows } = await client.query("SELECT seq_scan::int FROM pg_stat_user_tables WHERE relname = 'scores'");
  await client.end();
  return rows[0].seq_scan;
}

/** A page deep in the list beside one at its beginning; page 2, since page 1 counts the whole list as well. */
async function pages(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [sort, depth] of [["key", Math.floor(scores / 1_000) - 2] as const, ["score", 20] as const]) {
    const path = `/scores?limit=1000&sort=${sort}`;
    const cursors = [""];
    while (cursors.length <= depth) {
      const { next } = JSON.parse((await get(path + cursors.at(-1))).text);
      cursors.push(`&cursor=${next}`);
    }
    const [deep, second]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds * 3; round++) {
      deep.push((await get(path + cursors.at(-1))).milliseconds);
      second.push((await get(path + cursors[1])).milliseconds);
    }
    const what = `GET /scores by ${sort}, page ${depth + 1} of 1,000 items`;
    rows.push({ what, unit: "ms", ours: deep, peer: second, peerName: "page 2", higherIsBetter: false });
  }
  return rows;
}

/** Every application as CSV. */
async function stream(): Promise<Row[]> {
  await get("/apps?limit=1");
  const before = residentMegabytes(service);
  const [ours, memory]: [number[], number[]] = [[], []];
  let lines = 0;
  for (let round = 0; round < rounds; round++) {
    const { milliseconds, text } = await get("/apps", { accept: "text/csv" });
    lines = text.split("\r\n").length - 2;
    ours.push(milliseconds / 1_000);
    memory.push(residentMegabytes(service) - before);
  }
  return [
    { what: `GET /apps as CSV, ${lines.toLocaleString("en-US")} rows`, unit: "s", ours, ...none },
    { what: "memory of the service more than before", unit: "MB", ours: memory, ...none },
  ];
}

/** POST /score while the clients ask, and while nobody does. */
async function writesBeside(): Promise<Row[]> {
  const [ours, peer]: [number[], number[]] = [[], []];
  const write = () => load(service.url, "score", 32, 2 * (everyMs / 1_000)).perSecond;
  write();
  for (let round = 0; round < rounds; round++) {
    peer.push(write());
    const asking = askFor(2 * (everyMs / 1_000));
    ours.push(write());
    await asking;
  }
  const what = `POST /score while ${clients} clients ask`;
  return [{ what, unit: "/s", ours, peer, peerName: "nobody asks", higherIsBetter: true }];
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN;
}

function get(path: string, headers: Record<string, string> = {}): Promise<Got> {
  return ask(agent, service.url + path, headers);
}
