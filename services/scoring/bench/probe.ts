import { once } from "node:events";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { ask } from "./ask.ts";

/** Pause between an answer of `/livez` and the next question, in milliseconds. */
const pauseMs = 5;

/** Asks a service for `/livez` without end, in a thread of its own. */
export interface Probe {
  /** The longest that an answer took since the last call, in milliseconds. */
  worst(): Promise<number>;
  stop(): Promise<unknown>;
}

/** Starts to ask the service at this address. */
export function startProbe(url: string): Probe {
  const worker = new Worker(new URL(import.meta.url), { workerData: { probed: url } });
  return {
    async worst() {
      const answered = once(worker, "message");
      worker.postMessage("worst");
      return (await answered)[0];
    },
    stop: () => worker.terminate(),
  };
}

if (!isMainThread && workerData?.probed) {
  const agent = new Agent({ keepAlive: true });
  let worst = 0;
  parentPort?.on("message", async () => {
    await underWay; // it may be the worst
    parentPort?.postMessage(worst);
    worst = 0;
  });
  let underWay = probe();
  for (;;) {
    await underWay;
    await sleep(pauseMs);
    underWay = probe();
  }

  async function probe(): Promise<void> {
    const { milliseconds } = await ask(agent, `${workerData.probed}/livez`);
    worst = Math.max(worst, milliseconds);
  }
}
