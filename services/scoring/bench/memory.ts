import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { demoMetrics } from "@maturity/demo";
import { fillFormer } from "./former-scores.ts";
import { organisation } from "./organisation.ts";
import { startPostgres, startService } from "./processes.ts";
import { medianOf } from "./table.ts";

/**
 * `pnpm bench memory`: the memory and the open files of the service during a mixed load of so many minutes: reports of known
 * scores, problems, waivers, every list in every form, scrapes, and readers who hang up. Nothing new is stored, so neither
 * may grow: the bench fails if the last third is above the second one. `--minutes 120` is a soak.
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
  /** Open file descriptors. */
  readonly files: number;
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
const rows = [...Map.groupBy(samples, (one) => one.minute)].map(([minute, all]) => {
  const least = (of: "heap" | "external" | "files") => Math.min(...all.map((one) => one[of]));
  const resident = Math.max(...all.map((one) => one.resident));
  return { minute: minute + 1, resident, heap: least("heap"), external: least("external"), files: least("files") };
});
console.log(
  "| minute | resident | heap, at its lowest | beside the heap, at its lowest | open files, at their fewest |",
);
console.log("|---|---|---|---|---|");
for (const { minute, resident, heap, external, files } of rows) {
  const megabytes = [resident, heap, external].map((size) => `${size.toFixed(0)} MB`);
  console.log(`| ${[minute, ...megabytes, files].join(" | ")} |`);
}
console.log(drawn("Memory of the service, MB: resident, and heap at its lowest", ["resident", "heap"]));
console.log(drawn("Open files of the service, at their fewest", ["files"]));
console.log(JSON.stringify(answers));
const grown = [
  ...(grows("heap", 20) ? ["the heap"] : []),
  ...(grows("external", 20) ? ["the memory beside the heap"] : []),
  ...(grows("files", 10) ? ["the number of open files"] : []),
];
if (rows.length < 9) console.log("too short to say whether anything grows: at least 9 minutes are needed");
else console.log(grown.length > 0 ? `${grown.join(" and ")} of the service grew` : "nothing grew");
process.exit(rows.length >= 9 && grown.length > 0 ? 1 : 0);

/** Whether the median of the last third of the minutes is above that of the second one, by more than a fifth and `slack`. */
function grows(of: "heap" | "external" | "files", slack: number): boolean {
  const third = Math.floor(rows.length / 3);
  const [second, last] = [rows.slice(third, 2 * third), rows.slice(-third)];
  const [before, after] = [medianOf(second.map((row) => row[of])), medianOf(last.map((row) => row[of]))];
  return after > before * 1.2 + slack;
}

/** A chart in Mermaid, which GitHub draws in the summary of a run. */
function drawn(title: string, lines: readonly ("resident" | "heap" | "files")[]): string {
  const points = lines.map((of) => `  line [${rows.map((row) => Math.round(row[of])).join(", ")}]`);
  const axis = `  x-axis "minute" 1 --> ${rows.length}`;
  return ["\n```mermaid", "xychart-beta", `  title "${title}"`, axis, ...points, "```\n"].join("\n");
}

/** The memory by the service's own metrics, each second, in MB. */
async function sample(): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (performance.now() < end) {
    const text = await (await ask("/metrics/service")).text();
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    const megabytes = (name: string) => figure(name) / 1_048_576;
    samples.push({
      minute: Math.floor(minutes - (end - performance.now()) / 60_000),
      resident: megabytes("process_resident_memory_bytes"),
      heap: megabytes("nodejs_heap_size_used_bytes"),
      external: megabytes("nodejs_external_memory_bytes"),
      files: figure("process_open_fds"),
    });
    await sleep(1_000);
  }
  return samples;
}

/** Asks once more where a kept connection has ended just when the request began. */
function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(service.url + path, init).catch(() => fetch(service.url + path, init));
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
  const answer = await ask(path, { method: "POST", headers: json, body: JSON.stringify(body) });
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
  await ask(`/waivers/${id}`, { method: "DELETE" });
}

async function read(path: string, accept: string): Promise<void> {
  const answer = await ask(path, { headers: { accept } });
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
