import { parentPort, workerData } from "node:worker_threads";
import { load } from "./load.ts";

const { url, script, connections, seconds } = workerData;
parentPort?.postMessage(load(url, script, connections, seconds));
