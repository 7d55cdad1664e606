import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { markdownOf } from "./figures.ts";

/**
 * `pnpm bench start`: how long the programs take to start, beside a Node that does nothing. The runs take turns, so that a
 * noisy machine is noisy for all of them. With `--beside` the programs of another checkout take part. Needs a build.
 */
const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "30" }, beside: { type: "string" } },
});
const checkouts = { here: join(import.meta.dirname, ".."), ...(options.beside && { there: resolve(options.beside) }) };
const programs = {
  maturity: { main: "packages/cli/dist/main.js", lines: ["--version", "submit --help"] },
  "maturity-service": { main: "services/scoring/dist/main.js", lines: ["--version", "--help", "token create --help"] },
};
const runs: { name: string; args: string[]; times: number[] }[] = [{ name: "node -e 0", args: ["-e", "0"], times: [] }];
for (const [program, { main, lines }] of Object.entries(programs)) {
  for (const line of lines) {
    for (const [place, checkout] of Object.entries(checkouts)) {
      const name = options.beside ? `${program} ${line}, ${place}` : `${program} ${line}`;
      runs.push({ name, args: [join(checkout, main), ...line.split(" ")], times: [] });
    }
  }
}
for (let round = 0; round < Number(options.rounds); round++) {
  for (const { name, args, times } of runs) {
    const begin = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
    times.push(performance.now() - begin);
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const bare = median(runs[0]?.times ?? []);
const rows = runs.map(({ name, times }) => {
  const time = median(times);
  return [`\`${name}\``, `${time.toFixed(0)} ms`, `${(time - bare).toFixed(0)} ms`];
});
console.log(markdownOf({ columns: ["command", "until its end", "over a bare Node"], rows }));
console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, medians of ${options.rounds}`);
