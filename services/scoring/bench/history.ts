import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { query, withDatabase } from "../test/support/postgres.ts";
import { checkOut } from "./checkout.ts";
import { load } from "./load.ts";
import { type Running, startPostgres, startService } from "./processes.ts";
import { fillReported } from "./reported.ts";
import { type Row, table } from "./table.ts";

/**
 * `pnpm bench history`: what recording the history costs a write. Beside this source it runs that of the commit before
 * the history, each with a database of its own on one server, in turn.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "4" },
    seconds: { type: "string", default: "4" },
    beside: { type: "string", default: beforeHistory() },
  },
});
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];
const values = { same: "nothing changes", new: "every score changes" } as const;
const scripts = {
  score: { what: "POST /score, 32 connections", connections: 32, scores: 1 },
  scores: { what: "scores by POST /scores of 1,000, 4 connections", connections: 4, scores: 1_000 },
} as const;

const former = checkOut(options.beside);
const postgres = await startPostgres();
const sides = { ours: await startSide("ours"), peer: await startSide("peer", former) };
for (const { url } of Object.values(sides)) await fillReported(url);
const figures = new Map<string, Row & { ours: number[]; peer: number[] }>();
for (let round = 0; round <= rounds; round++) {
  process.stderr.write(`history, round ${round} of ${rounds}; the first only warms up\n`);
  for (const value of Object.keys(values) as (keyof typeof values)[]) {
    for (const script of Object.keys(scripts) as (keyof typeof scripts)[]) measure(round, value, script);
  }
}
console.log(table([...figures.values()]));
console.log(`\n${await recorded(sides.ours.databaseUrl)} changes recorded.`);
await Promise.all(Object.values(sides).map(({ running }) => running.stop()));
await postgres.stop();

function measure(round: number, value: keyof typeof values, script: keyof typeof scripts): void {
  process.env.VALUES = value;
  const { what, connections, scores } = scripts[script];
  const name = `${what}, ${values[value]}`;
  const row = figures.get(name) ?? {
    ...{ what: name, unit: "/s", ours: [], peer: [], higherIsBetter: true },
    peerName: `without history, ${options.beside.slice(0, 7)}`,
  };
  if (round > 0) figures.set(name, row);
  for (const side of round % 2 === 0 ? (["ours", "peer"] as const) : (["peer", "ours"] as const)) {
    const { perSecond } = load(sides[side].url, script, connections, round === 0 ? 1 : seconds);
    row[side].push(perSecond * scores);
  }
}

/** The commit before the one that added the history, by a file that only the log knows. */
function beforeHistory(): string {
  const added = join(import.meta.dirname, "../src/store/migrations/005-history.ts");
  const log = ["log", "--diff-filter=A", "--format=%H", "--", added];
  const commit = execFileSync("git", log, { encoding: "utf8" }).trim();
  return execFileSync("git", ["rev-parse", commit === "" ? "HEAD" : `${commit}^`], { encoding: "utf8" }).trim();
}

async function startSide(name: string, repository?: string) {
  const databaseUrl = withDatabase(postgres.url, name);
  await query(postgres.url, `CREATE DATABASE ${name}`);
  const running: Running = await startService(databaseUrl, {}, repository);
  return { url: running.url, databaseUrl, running };
}

async function recorded(url: string): Promise<string> {
  const { rows } = await query(url, "SELECT count(*)::int AS count FROM score_changes WHERE former IS NOT NULL");
  return rows[0].count.toLocaleString("en-US");
}
