import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { ask } from "./ask.ts";

/** Clients that each ask for one of the paths in turn, at this interval, evenly spread over `spreadMs`, from `beginMs` on. */
const {
  url,
  paths,
  clients,
  everyMs,
  spreadMs = everyMs,
  beginMs = 0,
  seconds,
} = workerData as {
  readonly url: string;
  readonly paths: readonly string[];
  readonly clients: number;
  readonly everyMs: number;
  readonly spreadMs?: number;
  readonly beginMs?: number;
  readonly seconds: number;
};

const agent = new Agent({ keepAlive: true });
const times = new Map(paths.map((path) => [path, [] as number[]]));
const end = performance.now() + beginMs + seconds * 1_000;

async function askInTurn(client: number): Promise<void> {
  await sleep(beginMs + (client * spreadMs) / clients);
  for (let turn = client; performance.now() < end; turn++) {
    const path = paths[turn % paths.length] ?? "";
    const { milliseconds } = await ask(agent, url + path, { "accept-encoding": "gzip" }); // as browsers do
    times.get(path)?.push(milliseconds);
    await sleep(Math.max(0, Math.min(everyMs - milliseconds, end - performance.now())));
  }
}

await Promise.all(Array.from({ length: clients }, (_, client) => askInTurn(client)));
parentPort?.postMessage(times);
