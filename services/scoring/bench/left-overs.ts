import { readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";

/** What is still to be ended when this process ends before it has done so. */
const leftOvers = new Set<() => void>();

/**
 * Takes care that nothing is left where a bench is broken off: at the end of this process, by a signal or an error too,
 * `end` is called.
 *
 * @param end waits for nothing
 * @returns to be called once there is nothing left
 */
export function endWithProcess(end: () => void): () => void {
  listen();
  leftOvers.add(end);
  return () => leftOvers.delete(end);
}

let listens = false;

function listen(): void {
  if (listens) return;
  listens = true;
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
    process.prependListener(signal, () => process.exit(128 + constants.signals[signal]));
  }
  process.prependListener("exit", () => {
    for (const end of [...leftOvers].reverse()) end();
  });
}

/** Ends a process, waits until it is gone, and removes its directory. */
export function endNow(pid: number | undefined, signal: NodeJS.Signals, directory?: string): void {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  if (pid !== undefined && runs(pid)) process.kill(pid, signal);
  for (let looks = 0; pid !== undefined && runs(pid) && looks < 500; looks++) Atomics.wait(clock, 0, 0, 10);
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
}

/** A child that has ended stays in the list of processes until its parent asks how. */
function runs(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z");
  } catch {
    return false;
  }
}
