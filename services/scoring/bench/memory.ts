import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { demoMetrics } from "@maturity/demo";
import { fillFormer } from "./former-scores.ts";
import { organisation } from "./organisation.ts";
import { startPostgres, startService } from "./processes.ts";

/**
 * `pnpm bench memory`: the memory of the service during a mixed load of so many minutes: reports of known scores, problems,
 * waivers, every list in every form, scrapes, and readers who hang up. Nothing new is stored, so memory must not grow.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "30" }, scores: { type: "string", default: "30000" } },
});
const [minutes, scores] = [Number(options.minutes), Number(options.scores)];
const postgres = await startPostgres([]);
await fillFormer(postgres.url, scores);
const service = await startService(postgres.url);
const known = [...organisation(scores)];
const end = performance.now() + minutes * 60_000;
const answers = { read: 0, written: 0, refused: 0, brokenOff: 0, hungUp: 0 };
const json = { "content-type": "application/json" };
const forms = ["application/json", "text/csv", "application/x-ndjson"];
const lists = [
  "/areas",
  "/teams",
  "/apps",
  "/scores",
  "/scores?detail=true",
  "/problems",
  "/changes",
  "/waivers",
  "/audit",
];

interface Sample {
  readonly minute: number;
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
}

const [samples] = await Promise.all([
  sample(),
  ...Array.from({ length: 4 }, () => again(20, () => write("/score", report(any())))),
  again(500, () => write("/scores", { scores: Array.from({ length: 100 }, any).map(report) })),
  again(200, () => write("/problem/scan-result", problem())),
  again(2_000, waive),
  ...Array.from({ length: 3 }, () => again(100, () => read(pick(lists), pick(forms)))),
  again(5_000, () => read(pick(["/metrics", "/metrics?collect[]=rollups&collect[]=scores"]), "text/plain")),
  again(300, () => hangUp(pick([...lists, "/metrics"]), pick(forms))),
]);
await service.stop();
await postgres.stop();
console.log("| minute | resident | heap, at its lowest | beside the heap, at its lowest |\n|---|---|---|---|");
for (const [minute, all] of Map.groupBy(samples, (one) => one.minute)) {
  const least = (of: "heap" | "external") => Math.min(...all.map((one) => one[of])).toFixed(0);
  const resident = Math.max(...all.map((one) => one.resident)).toFixed(0);
  console.log(`| ${minute + 1} | ${resident} MB | ${least("heap")} MB | ${least("external")} MB |`);
}
console.log(`\n${JSON.stringify(answers)}`);

/** The memory by the service's own metrics, each second, in MB. */
async function sample(): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (performance.now() < end) {
    const text = await (await fetch(`${service.url}/metrics/service`)).text();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]) / 1_048_576;
    samples.push({
      minute: Math.floor(minutes - (end - performance.now()) / 60_000),
      resident: figure("process_resident_memory_bytes"),
      heap: figure("nodejs_heap_size_used_bytes"),
      external: figure("nodejs_external_memory_bytes"),
    });
    await sleep(1_000);
  }
  return samples;
}

async function again(pauseMs: number, run: () => Promise<unknown>): Promise<never[]> {
  while (performance.now() < end) {
    await run();
    await sleep(pauseMs);
  }
  return [];
}

function any() {
  return pick(known);
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

function report({ score: _, ...key }: ReturnType<typeof any>): object {
  return { ...key, raw: demoMetrics[key.scorecard]?.[key.metric]?.raw(Math.random()) };
}

function problem(): object {
  const { area, team, app, env } = any();
  return {
    area,
    team,
    app,
    env,
    problem_type: "leak",
    severity: "high",
    count: Math.floor(Math.random() * 3),
    details: [],
  };
}

async function write(path: string, body: object): Promise<Response> {
  const answer = await fetch(service.url + path, { method: "POST", headers: json, body: JSON.stringify(body) });
  if (answer.status === 503) answers.refused++;
  else if (answer.ok) answers.written++;
  else throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function waive(): Promise<void> {
  const { area } = any();
  const waiver = { area, kind: "not_applicable", scorecard: "security", reason: "a bench", owner: "bench" };
  const answer = await write("/waivers", waiver);
  if (!answer.ok) return;
  const { id } = (await answer.json()) as { id: string };
  await fetch(`${service.url}/waivers/${id}`, { method: "DELETE" });
}

async function read(path: string, accept: string): Promise<void> {
  const answer = await fetch(service.url + path, { headers: { accept } });
  const isWhole = await answer.arrayBuffer().then(
    () => true,
    () => false,
  );
  if (!isWhole) answers.brokenOff++;
  else if (answer.status === 503) answers.refused++;
  else if (answer.ok) answers.read++;
  else throw new Error(`${path} was answered with ${answer.status}`);
}

/** Reads the beginning of an answer at most. */
async function hangUp(path: string, accept: string): Promise<void> {
  const signal = AbortSignal.timeout(1 + Math.floor(Math.random() * 100));
  await fetch(service.url + path, { headers: { accept }, signal })
    .then((answer) => answer.arrayBuffer())
    .catch(() => answers.hungUp++);
}
