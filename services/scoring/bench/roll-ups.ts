import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  childrenMicroseconds,
  processorMicroseconds,
  type Running,
  residentMegabytes,
  startPostgres,
  startPrometheus,
  startService,
} from "./processes.ts";
import { fillStore } from "./sides.ts";

/**
 * `pnpm bench roll-ups`: what the same roll-ups cost where Prometheus computes them by the recording rules, and where the
 * service does. Either Prometheus scrapes the same service every 15 seconds, one after the other. `--rules` names another
 * file of rules, `--scores 30000,300000` several sizes, and `--sides rules` leaves the service out.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    scores: { type: "string", default: "30000" },
    intervals: { type: "string", default: "4" },
    rules: { type: "string", default: join(import.meta.dirname, "../deploy/prometheus/maturity.rules.yml") },
    sides: { type: "string", default: "rules,service" },
  },
});
const sizes = options.scores.split(",").map(Number);
const intervals = Number(options.intervals);
const intervalMs = 15_000;
const rules = resolve(options.rules);
const evaluations: string[] = [];

const lines = [
  "| scores | who computes | processor of Prometheus | of the service | of the database | all three | memory of Prometheus | of the service | series |",
  "|---|---|---|---|---|---|---|---|---|",
];
const sides = options.sides.split(",");
let scores = 0;
let postgres: Running;
let service: Running;
for (scores of sizes) {
  postgres = await startPostgres();
  service = await startService(postgres.url);
  await fillStore(postgres.url, scores);
  const shown = scores.toLocaleString("en-US");
  if (sides.includes("rules")) {
    lines.push(`| ${shown} ${await side("Prometheus, by the rules", ["scores", "timestamps", "weights"], [rules])}`);
  }
  if (sides.includes("service")) lines.push(`| ${shown} ${await side("the service", ["rollups", "weights"], [])}`);
  await service.stop();
  await postgres.stop();
}
console.log(`Each interval of 15 s:\n\n${lines.join("\n")}`);
for (const evaluation of evaluations) console.log(evaluation);

async function side(what: string, families: readonly string[], ruleFiles: readonly string[]): Promise<string> {
  const prometheus = await startPrometheus((directory) => {
    const file = join(directory, "prometheus.yml");
    writeFileSync(
      file,
      JSON.stringify({
        global: { scrape_interval: "15s", scrape_timeout: "15s", evaluation_interval: "15s" },
        rule_files: ruleFiles,
        scrape_configs: [
          {
            job_name: "maturity",
            honor_labels: true,
            params: { "collect[]": families },
            static_configs: [{ targets: [new URL(service.url).host] }],
          },
        ],
      }),
    );
    return file;
  });
  await appScores(prometheus); // the first scrape and evaluation make all series
  await pause(intervalMs);
  const before = processorSeconds(prometheus);
  await pause(intervals * intervalMs);
  const after = processorSeconds(prometheus);
  const spent = after.map((value, index) => (value - (before[index] ?? 0)) / intervals);
  const all = spent.reduce((sum, value) => sum + value, 0);
  const series = await value(prometheus, "prometheus_tsdb_head_series");
  if (ruleFiles.length > 0) evaluations.push(await evaluationOf(prometheus));
  const memory = [prometheus, service].map(residentMegabytes);
  await prometheus.stop();
  const cells = [
    ...[...spent, all].map((seconds) => `${seconds.toFixed(2)} s`),
    ...memory.map((megabytes) => `${megabytes.toFixed(0)} MB`),
    series.toLocaleString("en-US"),
  ];
  return `| ${what} | ${cells.join(" | ")} |`;
}

/** Waits until Prometheus has the score of each application. */
async function appScores({ url }: Running): Promise<void> {
  const query = encodeURIComponent('count({__name__=~"maturity[:_]app_score"})');
  for (;;) {
    const response = await fetch(`${url}/api/v1/query?query=${query}`);
    const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
    if (Number(data.result[0]?.value[1]) >= Math.floor(scores / 15)) return;
    await pause(250);
  }
}

/** How long the last evaluation of each group of rules took. */
async function evaluationOf({ url }: Running): Promise<string> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const groups = [...text.matchAll(/^prometheus_rule_group_last_duration_seconds\{rule_group="[^;]*;(.+)"\} (\S+)$/gm)];
  return `The last evaluation took ${groups.map(([, name, seconds]) => `${name} ${Number(seconds).toFixed(1)} s`).join(", ")}.`;
}

/** A figure that Prometheus names itself. */
async function value({ url }: Running, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

/** Processor seconds so far of Prometheus, the service and the database. */
function processorSeconds(prometheus: Running): number[] {
  return [processorMicroseconds(prometheus), processorMicroseconds(service), childrenMicroseconds(postgres)].map(
    (microseconds) => microseconds / 1e6,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
