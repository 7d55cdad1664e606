import { parseArgs } from "node:util";
import { offer } from "./open-loop.ts";
import { organisation } from "./organisation.ts";
import { processorMicroseconds, startPostgres, startService } from "./processes.ts";
import { type Row, table } from "./table.ts";

/** `pnpm bench overload`: how many requests are still accepted when there are far more than the service can take. */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "5" } },
});
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];

const postgres = await startPostgres();
const service = await startService(postgres.url);
const rows = [
  ...(await underLoad("POST /score", singles(), { few: 64, many: 3_500 })),
  ...(await underLoad("POST /scores of 1,000", batches(), { few: 4, many: 500 })),
];
await service.stop();
await postgres.stop();
console.log(table(rows));

/** What was accepted, a second and a second of the service's processor. */
interface Accepted {
  readonly perSecond: number;
  readonly perProcessorSecond: number;
}

/**
 * What is accepted of twice the highest load, beside that highest. Both are measured in each round, one after the other. On a
 * machine that does other work too, the time of the processor shows more than the time of the clock.
 */
async function underLoad(
  what: string,
  requests: readonly Buffer[],
  { few, many }: { few: number; many: number },
): Promise<Row[]> {
  const highest: Accepted[] = [];
  const twice: Accepted[] = [];
  const measure = async (perSecond: number, connections: number): Promise<Accepted> => {
    let begun = 0;
    const onConnected = () => {
      begun = processorMicroseconds(service);
    };
    const result = await offer(service.url, requests, { perSecond, connections, seconds, onConnected });
    const processorSeconds = (processorMicroseconds(service) - begun) / 1e6;
    process.stderr.write(`${what}, ${connections} connections: ${JSON.stringify(result)}\n`);
    return {
      perSecond: result.accepted,
      perProcessorSecond: (result.accepted * result.seconds) / processorSeconds,
    };
  };
  await measure(Number.POSITIVE_INFINITY, few);
  for (let round = 0; round < rounds; round++) {
    const peak = await measure(Number.POSITIVE_INFINITY, few);
    highest.push(peak);
    twice.push(await measure(2 * peak.perSecond, many));
  }
  const row = (figure: keyof Accepted, unit: string): Row => ({
    what: `${what}, accepted of twice the highest load`,
    unit,
    ours: twice.map((accepted) => accepted[figure]),
    peer: highest.map((accepted) => accepted[figure]),
    peerName: `the highest, ${few} connections`,
    higherIsBetter: true,
  });
  return [row("perSecond", "/s"), row("perProcessorSecond", "/s of the processor")];
}

function singles(): Buffer[] {
  return submissions(10_000).map((submission) => post("/score", submission));
}

function batches(): Buffer[] {
  const all = submissions(20_000);
  return Array.from({ length: 20 }, (_, index) =>
    post("/scores", { scores: all.slice(index * 1_000, (index + 1) * 1_000) }),
  );
}

function submissions(count: number): object[] {
  return [...organisation(count)].map(({ area, team, app, env }, index) => ({
    ...{ area, team, app, env, scorecard: "security", metric: "image_scan", pipeline_id: `run-${index}` },
    raw: { critical: 0, high: index % 90, medium: 12 },
  }));
}

function post(path: string, body: object): Buffer {
  const text = JSON.stringify(body);
  const head = `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${text.length}`;
  return Buffer.from(`${head}\r\n\r\n${text}`);
}
