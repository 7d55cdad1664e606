import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { demoMetrics } from "@maturity/demo";
import { fillFormer } from "./former-scores.ts";
import { offer } from "./open-loop.ts";
import { organisation } from "./organisation.ts";
import { startPostgres, startService } from "./processes.ts";

/**
 * `pnpm bench replay`: how long a replay of so many scores takes and how much memory, without writing, and with `--apply`
 * beside 500 reports a second. The scores are those of a former version, by which one metric of 15 scores otherwise.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    scores: { type: "string", default: "300000" },
    rounds: { type: "string", default: "3" },
    engine: { type: "string", default: "postgres" },
  },
});
const [scores, rounds] = [Number(options.scores), Number(options.rounds)];
const isEmbedded = options.engine === "pglite";
const directory = mkdtempSync(join(tmpdir(), "maturity-bench-replay-"));
const postgres = isEmbedded ? undefined : await startPostgres();
const databaseUrl = postgres?.url ?? `pglite:${join(directory, "data")}`;
await fillFormer(databaseUrl, scores);

const figures: string[] = [];
for (let round = 0; round < rounds; round++) figures.push(said("without writing", await replay()));
if (!isEmbedded) figures.push(...(await besideReports()));
figures.push(said("with --apply, what is left", await replay("--apply")));
console.log(
  `| replay of ${scores.toLocaleString("en-US")} scores, ${options.engine} | seconds | most memory |\n|---|---|---|`,
);
console.log(figures.join("\n"));
await postgres?.stop();
rmSync(directory, { recursive: true });

/** Runs the command as it is run, and looks at the most memory that it had in use. */
async function replay(...more: string[]): Promise<{ seconds: number; megabytes: number }> {
  const main = join(import.meta.dirname, "../src/main.ts");
  const begin = performance.now();
  const child = spawn(process.execPath, ["--conditions=@maturity/source", main, "replay", "--format", "csv", ...more], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let megabytes = 0;
  const timer = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child.pid ?? 0));
  }, 20);
  const [code] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`the replay ended with ${code}`);
  return { seconds: (performance.now() - begin) / 1_000, megabytes };
}

/** The kernel's own note of the most memory; 0 once the process has ended. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function said(what: string, { seconds, megabytes }: { seconds: number; megabytes: number }): string {
  return `| ${what} | ${seconds.toFixed(1)} | ${megabytes.toFixed(0)} MB |`;
}

/** Reports the scores again by today's rules meanwhile, as pipelines do once all instances have the new packages. */
async function besideReports(): Promise<string[]> {
  const service = await startService(databaseUrl);
  const keys = [...organisation(20_000)];
  const requests = keys.map(({ score, ...key }) => {
    const body = JSON.stringify({ ...key, raw: demoMetrics[key.scorecard]?.[key.metric]?.raw(score / 100) });
    const head = `POST /score HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return Buffer.from(head + body);
  });
  const load = { perSecond: 500, connections: 32, seconds: 20, onConnected() {} };
  const [offered, applied] = await Promise.all([offer(service.url, requests, load), replay("--apply")]);
  await service.stop();
  const { accepted, refused, unsent } = offered;
  const rate = `${accepted.toFixed(0)} reports/s accepted, ${refused.toFixed(0)} refused, ${unsent.toFixed(0)} not sent`;
  return [said(`with --apply, beside 500 reports/s (${rate})`, applied)];
}
