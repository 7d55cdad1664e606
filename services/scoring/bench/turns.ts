import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a service beside its program: writes into the file of `TURNS_FILE` how many milliseconds of the processor
 * the event loop took without a look at its timers, wherever it was 10 ms or more. That is the same on a busy machine.
 */
const { TURNS_FILE: file } = process.env;
if (isMainThread && file) {
  let last = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    const milliseconds = (user + system) / 1_000;
    if (milliseconds >= 10) appendFileSync(file, `${milliseconds}\n`);
    last = process.threadCpuUsage();
  }, 5).unref();
}
