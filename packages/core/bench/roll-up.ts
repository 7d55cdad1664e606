import { cpus } from "node:os";
import { application } from "../../application/src/index.ts";
import { reliability } from "../../reliability/src/index.ts";
import { security } from "../../security/src/index.ts";
import { type DatedScore, rollUpApp } from "../src/index.ts";
import { rollUpInOrder } from "../src/wire.ts";

/** How long one process takes to roll up 300,000 scores of 20,000 applications: in the order of the metrics, and by their names. */

const scorecards = [security, reliability, application];
const names = scorecards.flatMap(({ name, metrics }) => metrics.map((metric) => `${name}.${metric.name}`));
const runs = 9;
const at = new Date("2026-01-31T12:00:00Z");
const lists = Array.from({ length: 20_000 }, (_, app) =>
  names.map((_, index): DatedScore => ({ score: (app * 7 + index) % 101, reported_at: at.getTime() - app * 60_000 })),
);
const records = lists.map((list) => Object.fromEntries(list.map((one, index) => [names[index], one])));

function median(run: () => void): string {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return `${Math.round(times[Math.floor(runs / 2)] ?? 0)} ms, from ${Math.round(times[0] ?? 0)} to ${Math.round(times.at(-1) ?? 0)}`;
}

console.log(`in order: ${median(() => lists.forEach((list) => void rollUpInOrder(scorecards, list, at)))}`);
console.log(`by names: ${median(() => records.forEach((record) => void rollUpApp(scorecards, record, at)))}`);
console.log(`medians of ${runs} runs; Node ${process.version}, one thread of ${cpus()[0]?.model}`);
