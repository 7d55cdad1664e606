import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** Clients that each ask, as browsers do, for one of the paths in turn, at this interval, evenly spread, from `beginMs` on. */
const {
  url,
  paths,
  clients,
  everyMs,
  beginMs = 0,
  seconds,
} = workerData as {
  readonly url: string;
  readonly paths: readonly string[];
  readonly clients: number;
  readonly everyMs: number;
  readonly beginMs?: number;
  readonly seconds: number;
};

const agent = new Agent({ keepAlive: true });
const times = new Map(paths.map((path) => [path, [] as number[]]));
const end = performance.now() + beginMs + seconds * 1_000;

async function askInTurn(client: number): Promise<void> {
  await sleep(beginMs + (client * everyMs) / clients);
  for (let turn = client; performance.now() < end; turn++) {
    const path = paths[turn % paths.length] ?? "";
    const milliseconds = await ask(path);
    times.get(path)?.push(milliseconds);
    await sleep(Math.max(0, Math.min(everyMs - milliseconds, end - performance.now())));
  }
}

/** Asks for a compressed answer, and passes over it: to read it is the work of another machine. */
async function ask(path: string): Promise<number> {
  const began = performance.now();
  const sent = request(url + path, { agent, headers: { "accept-encoding": "gzip" } });
  sent.end();
  const [response] = await once(sent, "response");
  await once(response.resume(), "end");
  if (response.statusCode !== 200) throw new Error(`${url}${path} was answered with ${response.statusCode}`);
  return performance.now() - began;
}

await Promise.all(Array.from({ length: clients }, (_, client) => askInTurn(client)));
parentPort?.postMessage(times);
