import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

/**
 * How long the program takes to start, beside a Node that does nothing: medians of runs that take turns, so that a noisy
 * machine is noisy for all of them. Needs a build.
 */
const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const commands: Readonly<Record<string, readonly string[]>> = {
  "node -e 0": ["-e", "0"],
  "maturity --version": [main, "--version"],
  "maturity submit --help": [main, "submit", "--help"],
};
const rounds = Number(process.argv[2] ?? 50);

const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(commands)) {
    const begin = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
    times.get(name)?.push(performance.now() - begin);
  }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const bare = median(times.get("node -e 0") ?? []);
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, medians of ${rounds}`);
for (const [name, values] of times) {
  const time = median(values);
  console.log(
    `${name.padEnd(24)} ${time.toFixed(0).padStart(5)} ms  ${(time - bare).toFixed(0).padStart(4)} ms over bare Node`,
  );
}
