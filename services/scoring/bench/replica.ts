import { parseArgs } from "node:util";
import { startReplicated } from "../test/support/replica.ts";
import { endNow, endWithProcess } from "./left-overs.ts";
import { childrenMicroseconds, startService } from "./processes.ts";
import { scrape } from "./scrape.ts";
import { fillStore } from "./sides.ts";
import { type Row, table } from "./table.ts";

/**
 * `pnpm bench replica`: what is left of the writes while all series are scraped once a second, from the primary and from a
 * streaming replica, and without scrapes. Primary, replica, service and load generator share the machine.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    scores: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "6" },
  },
});
const [scores, rounds, seconds] = [Number(options.scores), Number(options.rounds), Number(options.seconds)];
const connections = 4;

const servers = await startReplicated(["-c", "shared_buffers=512MB", "-c", "max_wal_size=4GB"]);
const ended = endWithProcess(() => {
  for (const pid of [servers.replicaPid(), servers.primaryPid]) endNow(pid, "SIGQUIT");
});
const primary = await startService(servers.url);
await fillStore(servers.url, scores);
const beside = await startService(servers.url, { DATABASE_READ_URL: servers.replicaUrl });
await servers.caughtUp();
const batches = { replica: [] as number[], primary: [] as number[], quiet: [] as number[] };
const processor = { replica: [] as number[], primary: [] as number[], quiet: [] as number[] };
const scrapes = { replica: [] as number[], primary: [] as number[] };
const sides = { replica: beside.url, primary: primary.url, quiet: undefined } as const;
for (let round = 0; round <= rounds; round++) {
  process.stderr.write(`replica, round ${round} of ${rounds}; the first only warms up\n`);
  const order = Object.keys(sides) as (keyof typeof sides)[];
  for (const side of round % 2 === 0 ? order : order.reverse()) await measure(side, round > 0);
}
console.log(table(rowsOf()));
await Promise.all([primary.stop(), beside.stop()]);
await servers.stop();
ended();

async function measure(side: keyof typeof sides, counts: boolean): Promise<void> {
  const before = ofPrimary();
  const scraped = sides[side] === undefined ? [] : scrapeEverySecond(`${sides[side]}/metrics?collect[]=scores`);
  const { perSecond } = await write();
  const spent = (ofPrimary() - before) / 1e6 / seconds;
  const times = await Promise.all(scraped);
  if (!counts) return;
  batches[side].push(perSecond * 1_000);
  processor[side].push(spent);
  if (side !== "quiet") scrapes[side].push(...times);
}

/** The load generator blocks the process that starts it, so it has one to itself. */
async function write(): Promise<{ perSecond: number }> {
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(new URL("load-worker.ts", import.meta.url), {
    workerData: { url: primary.url, script: "scores", connections, seconds },
  });
  return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

/** A scrape in each second of the load; the seconds that each took. */
function scrapeEverySecond(url: string): Promise<number>[] {
  return Array.from({ length: seconds }, async (_, second) => {
    await new Promise((resolve) => setTimeout(resolve, second * 1_000));
    const { series, seconds: took } = await scrape(url);
    if (series < scores) throw new Error(`a scrape gave ${series} series of ${scores}`);
    return took;
  });
}

/** Processor time of the primary so far, in microseconds. */
function ofPrimary(): number {
  return childrenMicroseconds({ pid: servers.primaryPid });
}

function rowsOf(): Row[] {
  const times = `a scrape of ${scores.toLocaleString("en-US")} series a second`;
  const better = { higherIsBetter: true };
  const lower = { higherIsBetter: false };
  const from = { peerName: "from the primary" };
  const what = `scores by POST /scores of 1,000, ${connections} connections, beside ${times}`;
  return [
    { what: `${what} from the replica`, unit: "/s", ours: batches.replica, peer: batches.primary, ...from, ...better },
    {
      what: "the same, and no scrape",
      unit: "/s",
      ours: batches.replica,
      peer: batches.quiet,
      peerName: "no scrape",
      ...better,
    },
    { what: "a scrape", unit: "s", ours: scrapes.replica, peer: scrapes.primary, ...from, ...lower },
    {
      what: "processor of the primary a second",
      unit: "s",
      ours: processor.replica,
      peer: processor.primary,
      ...from,
      ...lower,
    },
    {
      what: "the same, and no scrape",
      unit: "s",
      ours: processor.replica,
      peer: processor.quiet,
      peerName: "no scrape",
      ...lower,
    },
  ];
}
