import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { query, withDatabase } from "../test/support/postgres.ts";
import { checkOut } from "./checkout.ts";
import { load } from "./load.ts";
import { processorMicroseconds, type Running, startBareServer, startPostgres, startService } from "./processes.ts";
import { fillReported } from "./reported.ts";
import { type Row, table } from "./table.ts";

/**
 * `pnpm bench history`: what recording the history costs a write. Beside this source it runs that of the commit before
 * the history, or of any other with `--beside COMMIT`, each with a database of its own on one server, in turn.
 * Both store 40,000 scores, and as many again for each of `--environments`.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "4" },
    seconds: { type: "string", default: "4" },
    beside: { type: "string", default: beforeHistory() },
    environments: { type: "string", default: "0" },
  },
});
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];
const values = { same: "nothing changes", new: "every score changes" } as const;
const scripts = {
  alone: { what: "POST /score, 1 connection", connections: 1, scores: 1 },
  score: { what: "POST /score, 32 connections", connections: 32, scores: 1 },
  scores: { what: "scores by POST /scores of 1,000, 4 connections", connections: 4, scores: 1_000 },
} as const;

const former = checkOut(options.beside);
const postgres = await startPostgres();
const sides = { ours: await startSide("ours"), peer: await startSide("peer", former) };
const bare = await startBareServer();
for (const { url } of Object.values(sides)) await fillReported(url, Number(options.environments));
type Figures = Row & { ours: number[]; peer: number[] };
const figures = new Map<string, Figures>();
for (let round = 0; round <= rounds; round++) {
  process.stderr.write(`history, round ${round} of ${rounds}; the first only warms up\n`);
  for (const value of Object.keys(values) as (keyof typeof values)[]) {
    for (const script of Object.keys(scripts) as (keyof typeof scripts)[]) measure(round, value, script);
  }
}
console.log(table([...figures.values()]));
console.log(`\n${await recorded(sides.ours.databaseUrl)} changes recorded.`);
await Promise.all([bare, ...Object.values(sides).map(({ running }) => running)].map((one) => one.stop()));
await postgres.stop();

function measure(round: number, value: keyof typeof values, script: keyof typeof scripts): void {
  process.env.VALUES = value;
  const { what, scores } = scripts[script];
  const title = `${what}, ${values[value]}`;
  for (const side of round % 2 === 0 ? (["ours", "peer"] as const) : (["peer", "ours"] as const)) {
    const { perSecond, processor } = loaded(sides[side].running, script, round);
    if (round === 0) continue;
    figure({ what: title, unit: "/s", higherIsBetter: true })[side].push(perSecond * scores);
    if (scores > 1) continue;
    figure({ what: `its time on the processor, ${title}`, unit: "µs", higherIsBetter: false })[side].push(processor);
  }
  if (script !== "score" || round === 0) return;
  const row = { what: `that of a bare hapi handler, ${title}`, unit: "µs", higherIsBetter: false };
  figure(row).ours.push(loaded(bare, script, round).processor);
}

function figure(row: Pick<Row, "what" | "unit" | "higherIsBetter">): Figures {
  const found = figures.get(row.what) ?? { ...row, ours: [], peer: [], peerName: options.beside.slice(0, 7) };
  figures.set(row.what, found);
  return found;
}

/** Requests a second, and microseconds of the processor that each takes in the service alone. */
function loaded(running: Running, script: keyof typeof scripts, round: number) {
  const before = processorMicroseconds(running);
  const { perSecond, requests } = load(
    running.url,
    script === "alone" ? "score" : script,
    scripts[script].connections,
    round === 0 ? 1 : seconds,
  );
  return { perSecond, processor: (processorMicroseconds(running) - before) / requests };
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
