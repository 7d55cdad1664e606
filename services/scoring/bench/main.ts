import { writeFileSync } from "node:fs";
import { cpus, release } from "node:os";
import { parseArgs } from "node:util";
import { chart } from "./chart.ts";
import { type LoadResult, load } from "./load.ts";
import {
  processorMicroseconds,
  type Running,
  residentMegabytes,
  startBareServer,
  startPostgres,
  startPromClient,
  startPushgateway,
  startService,
} from "./processes.ts";
import { scrape } from "./scrape.ts";
import { copyWithPsql, fillPushgateway, fillStore, makeToken, singleWrites } from "./sides.ts";
import { medianOf, type Row, table } from "./table.ts";

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    scores: { type: "string", default: "300000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "8" },
    chart: { type: "string", default: "10000,100000,300000,1000000" },
    "chart-file": { type: "string", default: "" },
  },
});
const [scores, rounds, seconds] = [Number(options.scores), Number(options.rounds), Number(options.seconds)];
const sizes = options.chart.split(",").filter(Boolean).map(Number);
const connections = 32;
const bareName = "bare hapi that reads the same bodies";
/** With its check, the Pushgateway looks through all it holds at every push. */
const checkOff = "--push.disable-consistency-check";
/** So long the Pushgateway as it ships is filled, in seconds: it would not be full in many minutes. */
const shippedFillSeconds = 60;

const postgres = await startPostgres();
const service = await startService(postgres.url);
let pushgateway = await startPushgateway(checkOff);
if (!pushgateway) note("Pushgateway is not installed (apt-get install prometheus-pushgateway); its side stays empty");

const report = [machine(), "", table([...(await atSize(scores)), ...(await writes()), ...(await tokens())])];
if (sizes.length > 0) report.push("", ...(await overSizes()));
await Promise.all([service.stop(), pushgateway?.stop()]);
await postgres.stop();
console.log(report.join("\n"));

/** Scrapes at one size, either side in turn. */
async function atSize(size: number): Promise<Row[]> {
  await fill(size);
  const ours: number[] = [];
  const theirs: number[] = [];
  const psql: number[] = [];
  await scrapeOurs(size);
  await inRounds("scrape", async () => {
    ours.push(await scrapeOurs(size));
    psql.push(copyWithPsql(postgres.url));
    theirs.push(await scrapePushgateway());
  });
  const what = `scrape of ${size.toLocaleString("en-US")} scores, gzip`;
  const row = { what, unit: "s", ours, higherIsBetter: false };
  return [
    { ...row, peer: theirs, peerName: "Pushgateway" },
    { ...row, peer: psql, peerName: "psql, COPY to /dev/null" },
  ];
}

/** Writes while the store holds its scores, either side in turn. */
async function writes(): Promise<Row[]> {
  const ours: Timed[] = [];
  const theirs: number[] = [];
  const shipped: number[] = [];
  const bare: Timed[] = [];
  const batches: number[] = [];
  const single: Awaited<ReturnType<typeof singleWrites>>[] = [];
  const bareServer = await startBareServer();
  const shippedGateway = await startPushgateway();
  const held = shippedGateway && (await fillPushgateway(shippedGateway.url, scores, shippedFillSeconds));
  load(service.url, "score", connections, 2);
  await inRounds("write", async () => {
    ours.push(timed(service, seconds));
    bare.push(timed(bareServer, seconds));
    if (pushgateway) theirs.push(load(pushgateway.url, "push", connections, seconds).perSecond);
    if (shippedGateway) shipped.push(load(shippedGateway.url, "push", connections, seconds).perSecond);
    batches.push(load(service.url, "scores", 4, seconds).perSecond * 1_000);
    single.push(await singleWrites(postgres.url, 500));
  });
  await Promise.all([bareServer.stop(), shippedGateway?.stop()]);
  const none = { peer: [], peerName: "" };
  const posts = {
    what: `POST /score, ${connections} connections, each committed`,
    unit: "/s",
    ours: ours.map(({ perSecond }) => perSecond),
    higherIsBetter: true,
  };
  const groups = (count = 0) => count.toLocaleString("en-US");
  return [
    { ...posts, peer: bare.map(({ perSecond }) => perSecond), peerName: bareName },
    { ...posts, peer: theirs, peerName: `Pushgateway, in memory, check off, ${groups(held?.groups)} groups` },
    {
      ...posts,
      peer: shipped,
      peerName: `Pushgateway as it ships, with the ${groups(held?.taken)} groups it took in ${shippedFillSeconds} s`,
    },
    {
      ...{ what: "its time on the processor", unit: "µs", ours: ours.map(({ processor }) => processor) },
      ...{ peer: bare.map(({ processor }) => processor), peerName: bareName, higherIsBetter: false },
    },
    { what: "its p50", unit: "ms", ours: ours.map(({ p50 }) => p50), ...none, higherIsBetter: false },
    { what: "its p99", unit: "ms", ours: ours.map(({ p99 }) => p99), ...none, higherIsBetter: false },
    { what: "POST /scores of 1,000, scores", unit: "/s", ours: batches, ...none, higherIsBetter: true },
    {
      what: "one score at a time, in the store",
      unit: "ms",
      ours: single.map(({ shared }) => shared),
      peer: single.map(({ plain }) => plain),
      peerName: "plain upsert",
      higherIsBetter: false,
    },
  ];
}

interface Timed extends LoadResult {
  /** Time of a request on the processor in the server alone, in microseconds. */
  readonly processor: number;
}

/** Sends single results for some seconds. */
function timed(target: Running, seconds: number, token?: string): Timed {
  const before = processorMicroseconds(target);
  const result = load(target.url, "score", connections, seconds, token);
  return { ...result, processor: (processorMicroseconds(target) - before) / result.requests };
}

/** Writes with access tokens and without, in many short rounds and changing order, since the difference is small. */
async function tokens(): Promise<Row[]> {
  const token = await makeToken(postgres.url);
  // Two new processes: one that has run for minutes is faster, whatever it asks for.
  const guarded = await startService(postgres.url, { AUTH: "token" });
  const open = await startService(postgres.url);
  const perSecond = { on: [] as number[], off: [] as number[] };
  const processor = { on: [] as number[], off: [] as number[] };
  const write = (side: "on" | "off", target: Running, token?: string) => {
    const result = timed(target, Math.ceil(seconds / 4), token);
    perSecond[side].push(result.perSecond);
    processor[side].push(result.processor);
  };
  const sides = [() => write("on", guarded, token), () => write("off", open)];
  load(guarded.url, "score", connections, 4, token);
  load(open.url, "score", connections, 4);
  for (let round = 1; round <= rounds * 4; round++) {
    note(`write with and without a token, round ${round} of ${rounds * 4}`);
    for (const side of sides.reverse()) side();
  }
  await Promise.all([guarded.stop(), open.stop()]);
  const row = { what: "POST /score with a token", peerName: "without" };
  return [
    { ...row, unit: "/s", ours: perSecond.on, peer: perSecond.off, higherIsBetter: true },
    {
      ...{ ...row, what: "its time on the processor" },
      ...{ unit: "µs", ours: processor.on, peer: processor.off, higherIsBetter: false },
    },
  ];
}

/** Scrape time and memory by size, and the chart of it. */
async function overSizes(): Promise<string[]> {
  const lines = ["| series | the service | its memory grows by | prom-client | Pushgateway |", "|---|---|---|---|---|"];
  const points: { series: number; ours: number; promClient: number; pushgateway: number }[] = [];
  for (const series of sizes) {
    await fill(series);
    await scrapeOurs(series);
    const before = residentMegabytes(service);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMegabytes(service));
    }, 5);
    const ours = await medianScrape(() => scrapeOurs(series));
    clearInterval(watch);
    const peer = await startPromClient(series);
    const promClient = await medianScrape(async () => (await scrape(`${peer.url}/metrics`)).seconds);
    await peer.stop();
    const gateway = await medianScrape(scrapePushgateway);
    points.push({ series, ours, promClient, pushgateway: gateway });
    const shown = [ours, promClient, gateway].map((value) => (Number.isNaN(value) ? "–" : `${value.toFixed(3)} s`));
    lines.push(
      `| ${series.toLocaleString("en-US")} | ${shown[0]} | ${(peak - before).toFixed(0)} MB | ${shown[1]} | ${shown[2]} |`,
    );
    note(lines.at(-1) ?? "");
  }
  const line = (name: string, colour: string, of: (point: (typeof points)[number]) => number) => ({
    ...{ name, colour },
    points: points.map((point) => ({ series: point.series, seconds: of(point) })).filter((point) => point.seconds > 0),
  });
  const svg = chart("Seconds of a compressed scrape", [
    line("the service", "#1a7f37", ({ ours }) => ours),
    line("prom-client", "#bf8700", ({ promClient }) => promClient),
    line("Pushgateway", "#cf222e", ({ pushgateway }) => pushgateway),
  ]);
  if (options["chart-file"]) writeFileSync(options["chart-file"], svg);
  return lines;
}

/** Gives both sides so many scores and no others. */
async function fill(size: number): Promise<void> {
  note(`filling ${size.toLocaleString("en-US")} scores`);
  await fillStore(postgres.url, size);
  await pushgateway?.stop();
  pushgateway = await startPushgateway(checkOff);
  if (pushgateway) await fillPushgateway(pushgateway.url, size);
}

/** Seconds, or NaN where Pushgateway is not installed. */
async function scrapePushgateway(): Promise<number> {
  return pushgateway ? (await scrape(`${pushgateway.url}/metrics`)).seconds : Number.NaN;
}

async function scrapeOurs(expected: number): Promise<number> {
  const { seconds, series } = await scrape(`${service.url}/metrics?collect[]=scores`);
  if (series !== expected) throw new Error(`a scrape gave ${series} series of ${expected}`);
  return seconds;
}

async function medianScrape(run: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await run());
  return medianOf(times);
}

async function inRounds(what: string, run: () => Promise<void>): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    note(`${what}, round ${round} of ${rounds}`);
    await run();
  }
}

function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim()}, Linux ${release()}, Node ${process.version}; load generator and database on the same machine.`;
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
