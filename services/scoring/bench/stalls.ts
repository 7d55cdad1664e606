import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkOut } from "./checkout.ts";
import { fillFormer } from "./former-scores.ts";
import { startProbe } from "./probe.ts";
import { startPostgres, startService } from "./processes.ts";
import { fillHistory, type HeavyWork, heavyWork } from "./stall-work.ts";
import { type Row, table } from "./table.ts";

/**
 * `pnpm bench stalls`: for how long the service stands still during each piece of heavy work at 300,000 scores: the processor's time
 * of the longest turn of its event loop, and the longest that `/livez` took to answer, which is longer where others use the
 * machine too. `--beside COMMIT` measures that commit too, on the same database in turn; `--work` does some alone.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    scores: { type: "string", default: "300000" },
    rounds: { type: "string", default: "3" },
    work: { type: "string" },
    beside: { type: "string" },
    database: { type: "string" },
  },
});
const directory = mkdtempSync(join(tmpdir(), "maturity-turns-"));
const turns = join(directory, "turns");
const preload = `--import=${new URL("turns.ts", import.meta.url)}`;
const [scores, rounds] = [Number(options.scores), Number(options.rounds)];
const wanted = options.work?.split(",") ?? Object.keys(heavyWork);
const former = options.beside === undefined ? undefined : checkOut(options.beside);
const postgres = options.database === undefined ? await startPostgres([]) : undefined;
const databaseUrl = options.database ?? postgres?.url ?? "";
if (postgres) {
  await fillFormer(databaseUrl, scores);
  await fillHistory(databaseUrl);
}
type Figures = Record<"ours" | "peer", number[]>;
const figures = new Map(wanted.map((name) => [name, { worst: empty(), turn: empty(), seconds: empty() }]));
for (let round = 0; round < rounds; round++) {
  process.stderr.write(`stalls, round ${round + 1} of ${rounds}\n`);
  for (const name of wanted) {
    if (former !== undefined) await measure("peer", name, former);
    await measure("ours", name);
  }
}
await postgres?.stop();
const rows = wanted.flatMap((name): Row[] => {
  const { what = name } = heavyWork[name] ?? {};
  const found = figures.get(name);
  if (!found) return [];
  const peerName = options.beside?.slice(0, 7) ?? "";
  const row = { peerName, higherIsBetter: false };
  return [
    { ...row, what: `${what}: longest turn`, unit: "ms", ...found.turn },
    { ...row, what: "worst answer of `/livez`", unit: "ms", ...found.worst },
    { ...row, what: "how long it takes", unit: "s", ...found.seconds },
  ];
});
rmSync(directory, { recursive: true });
console.log(table(rows));
process.exit();

function empty(): Figures {
  return { ours: [], peer: [] };
}

async function measure(side: keyof Figures, name: string, repository?: string): Promise<void> {
  const { settings, before, run } = heavyWork[name] as HeavyWork;
  const place = { databaseUrl, ...(repository !== undefined && { repository }) };
  await before?.({ ...place, url: "" });
  const service = await startService(
    databaseUrl,
    { NODE_OPTIONS: preload, TURNS_FILE: turns, ...settings },
    repository,
  );
  const probe = startProbe(service.url);
  await probe.worst(); // the first answer opens the connection
  writeFileSync(turns, "0\n");
  const began = performance.now();
  await run({ ...place, url: service.url });
  figures.get(name)?.seconds[side].push((performance.now() - began) / 1_000);
  const worst = await probe.worst();
  figures.get(name)?.worst[side].push(worst);
  const turn = Math.max(...readFileSync(turns, "utf8").trim().split("\n").map(Number));
  figures.get(name)?.turn[side].push(turn);
  process.stderr.write(`${name}, ${side}: ${turn.toFixed(0)} ms, /livez ${worst.toFixed(0)} ms\n`);
  await probe.stop();
  await service.stop();
}
