import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres, startService } from "./processes.ts";
import { medianOf } from "./table.ts";

/**
 * `pnpm bench backfill`: how long `maturity backfill` takes to send the past of a year, while pipelines report as usual. It
 * fails if it takes more than three minutes, or if a report is refused.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string", default: "100000" },
    reports: { type: "string", default: "100" },
  },
});
const [rows, reports] = [Number(options.rows), Number(options.reports)];
const limitSeconds = 180;
const apps = 100;
const metrics = ["image_scan", "sast"];
const dayMs = 86_400_000;

const directory = mkdtempSync(join(tmpdir(), "maturity-backfill-"));
const file = join(directory, "past.csv");
writeFileSync(file, pastOf(rows));
const postgres = await startPostgres();
const service = await startService(postgres.url);
const target = { area: "shop", team: "checkout", env: "prod" };
/** Every second one is of an application whose past is on its way. */
const bodies = Array.from({ length: 2 * apps }, (_, index) => ({
  ...{ ...target, app: `${index % 2 ? "app" : "other"}-${index >> 1}`, scorecard: "security", metric: "sast" },
  raw: { critical: 0, high: index % 3, medium: 0 },
}));

const times: number[] = [];
let refused = 0;
let isDone = false;
const began = performance.now();
const main = join(import.meta.dirname, "../../../packages/cli/src/main.ts");
const args = ["--conditions=@maturity/source", main, "backfill", file, "--url", service.url];
const command = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"], cwd: directory });
const reporting = reportSteadily();
const [code] = await once(command, "exit");
isDone = true;
const seconds = (performance.now() - began) / 1_000;
await reporting;
await service.stop();
await postgres.stop();
rmSync(directory, { recursive: true });

const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
const rate = times.length / seconds;
console.log(
  `${rows.toLocaleString("en-US")} rows in ${seconds.toFixed(1)} s, at most ${limitSeconds}; beside it ${rate.toFixed(0)} reports a second, ` +
    `p50 ${medianOf(times).toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, ${refused} refused`,
);
process.exit(code === 0 && seconds <= limitSeconds && refused === 0 ? 0 : 1);

/** Sends reports at a steady rate until the command has ended. */
async function reportSteadily(): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let index = 0; !isDone; ) {
    const due = ((performance.now() - began) / 1_000) * reports;
    while (index < due) sent.push(report(index++));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(sent);
}

async function report(index: number): Promise<void> {
  const body = JSON.stringify(bodies[index % bodies.length]);
  const begin = performance.now();
  const answer = await fetch(`${service.url}/score`, {
    ...{ method: "POST", body, headers: { "content-type": "application/json" } },
  });
  await answer.text();
  times.push(performance.now() - begin);
  if (answer.status !== 200) refused++;
}

/** A table of results of the past year, of which three in four repeat the score before. */
function pastOf(count: number): string {
  const perKey = Math.ceil(count / (apps * metrics.length));
  const stepMs = Math.floor((360 * dayMs) / perKey);
  const first = Date.now() - 361 * dayMs;
  const lines = ["area,team,app,env,metric,measured_at,raw.critical,raw.high,raw.medium"];
  for (let index = 0; index < count; index++) {
    const [key, step] = [index % (apps * metrics.length), Math.floor(index / (apps * metrics.length))];
    const at = new Date(first + step * stepMs + key).toISOString();
    const metric = metrics[key % metrics.length];
    lines.push(
      `shop,checkout,app-${Math.floor(key / metrics.length)},prod,${metric},${at},0,${Math.floor(step / 4) % 5},0`,
    );
  }
  return `${lines.join("\n")}\n`;
}
