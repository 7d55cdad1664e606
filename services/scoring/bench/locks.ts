import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { organisation } from "./organisation.ts";
import { startPostgres, startService } from "./processes.ts";
import { type Row, table } from "./table.ts";

/**
 * `pnpm bench locks`: how long scores take while another transaction holds rows that are reported as well, and while an
 * import runs. 90 scores a second of other rows; 20 rows of which each is reported five times a second, in every part.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "6" } },
});
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];
const [perSecond, heldRows, heldEveryMs, importedRows] = [90, 20, 200, 100_000];

const postgres = await startPostgres();
const service = await startService(postgres.url);
const agent = new Agent({ keepAlive: true });
const [free, locked, besideImport, lockedBesideImport]: number[][] = [[], [], [], []];
await part(() => sleep(seconds * 1_000));
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`locks, round ${round} of ${rounds}\n`);
  free?.push(await part(() => sleep(seconds * 1_000)));
  locked?.push(await whileLocked(() => part(() => sleep(seconds * 1_000))));
  besideImport?.push(await part(importScores));
  lockedBesideImport?.push(await whileLocked(() => part(importScores)));
}
agent.destroy();
await service.stop();
await postgres.stop();
const row = (what: string, ours: number[] = [], peer: number[] = [], peerName: string): Row => ({
  ...{ what: `p99 of POST /score, ${what}`, unit: "ms", ours, peer, peerName, higherIsBetter: false },
});
console.log(
  table([
    row(`${heldRows} other rows locked elsewhere`, locked, free, "none locked"),
    row(
      `the same beside an import of ${importedRows.toLocaleString("en-US")} rows`,
      lockedBesideImport,
      besideImport,
      "none locked, the same import",
    ),
    row("beside the import alone", besideImport, free, "no import"),
  ]),
);

/** Reports at a steady rate until `work` is over; returns the p99 of the rows that nobody locks, in milliseconds. */
async function part(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  let isOver = false;
  const reportHeld = () => {
    for (let index = 0; index < heldRows; index++) sent.push(report(`held-${index}`).then(() => {}));
  };
  const held = setInterval(reportHeld, heldEveryMs);
  const begin = performance.now();
  let count = 0;
  const others = setInterval(() => {
    for (const due = ((performance.now() - begin) / 1_000) * perSecond; count < due && !isOver; count++) {
      const since = begin + (count / perSecond) * 1_000; // a late start counts as waiting
      sent.push(
        report(`other-${count % 1_000}`).then((status) => {
          if (status !== 200) throw new Error(`a score of a row that is free was answered with ${status}`);
          times.push(performance.now() - since);
        }),
      );
    }
  }, 1);
  await work();
  isOver = true;
  clearInterval(held);
  clearInterval(others);
  await Promise.all(sent);
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

async function whileLocked<T>(run: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: postgres.url });
  await holder.connect();
  await holder.query("BEGIN");
  const { rowCount } = await holder.query(
    "SELECT 1 FROM scores WHERE target_id IN (SELECT target_id FROM scores_by_name WHERE app LIKE 'held-%') FOR UPDATE",
  );
  if (rowCount !== heldRows) throw new Error(`${rowCount} rows are locked instead of ${heldRows}`);
  const result = await run();
  await holder.query("ROLLBACK");
  await holder.end();
  return result;
}

function report(app: string): Promise<number> {
  const target = { area: "shop", team: "checkout", app, env: "prod", scorecard: "security", metric: "image_scan" };
  const body = JSON.stringify({ ...target, raw: { critical: 0, high: Math.floor(Math.random() * 90), medium: 12 } });
  const headers = { "content-type": "application/json", "content-length": body.length };
  return new Promise((resolve, reject) => {
    request(`${service.url}/score`, { agent, method: "POST", headers }, (response) =>
      response.resume().once("end", () => resolve(response.statusCode ?? 0)),
    )
      .once("error", reject)
      .end(body);
  });
}

/** `maturity-service import` of areas that are not there. */
async function importScores(): Promise<void> {
  const main = join(import.meta.dirname, "../src/main.ts");
  const child = spawn(process.execPath, ["--conditions=@maturity/source", main, "import"], {
    env: { ...process.env, DATABASE_URL: postgres.url },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(child, "close");
  await pipeline(Readable.from(exportedLines()), child.stdin);
  const [status] = await ended;
  if (status !== 0) throw new Error(`the import ended with ${status}`);
}

function* exportedLines(): Generator<string> {
  const rest = { raw: { critical: 0, high: 3, medium: 12 }, scorer: "@maturity/security@1.0.0" };
  const now = new Date().toISOString();
  const times = { reported_at: now, changed_at: now, changed_by: "report" };
  for (const score of organisation(importedRows)) {
    yield `${JSON.stringify({ table: "scores", ...score, area: `${score.area} of ${now}`, ...rest, ...times })}\n`;
  }
  yield `${JSON.stringify({ lines: importedRows })}\n`;
}
