import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import split from "split2";
import { hostileBodies } from "../faults/support/hostile-bodies.ts";
import { families } from "../src/exposition/series.ts";
import { query } from "../test/support/postgres.ts";
import { ask } from "./ask.ts";
import { endWithProcess } from "./left-overs.ts";
import { startService } from "./processes.ts";

/** Where the work is done. */
interface Place {
  readonly url: string;
  readonly databaseUrl: string;
  /** The clone whose programs are run; this one if it is absent. */
  readonly repository?: string;
}

/** Work of which the service must not stand still. */
export interface HeavyWork {
  readonly what: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** What is done before the service starts. */
  readonly before?: (place: Place) => Promise<unknown>;
  readonly run: (place: Place) => Promise<unknown>;
}

/** How long the readings of the service are used, in milliseconds, and some more. */
const keptMs = 16_000;

const directory = mkdtempSync(join(tmpdir(), "maturity-stalls-"));
const exported = join(directory, "export.jsonl");
const renamed = join(directory, "renamed.jsonl");
const policy = join(directory, "policy.yaml");
writeFileSync(policy, "weights:\n  metrics:\n    security.sast: 40\nlevels:\n  - name: bronze\n    min_score: 50\n");
endWithProcess(() => rmSync(directory, { recursive: true, force: true }));

const someAreas = [0, 1, 2, 3, 4].map((area) => `area=area-${area}`).join("&");

const lists = ["/areas", "/teams", "/apps", "/scores", "/changes", "/waivers", "/audit", "/problems", "/search?q=app"];

export const heavyWork: Readonly<Record<string, HeavyWork>> = {
  nothing: { what: "nothing, for 10 s", run: () => sleep(10_000) },
  lists: { what: "the first reading of all lists at once", run: ({ url }) => get(url, lists) },
  waiver: { what: "a waiver of an area made and revoked", run: waiveAndRevoke },
  scrape: {
    what: "a scrape of all families",
    run: ({ url }) => get(url, [`/metrics?${families.map((family) => `collect[]=${family}`).join("&")}`]),
  },
  changes: { what: "`GET /changes` of 20 days", run: ({ url }) => get(url, [`/changes?since=${dayBefore(20)}`]) },
  csv: {
    what: "20 streams of 30,000 scores as CSV",
    run: ({ url }) => get(url, Array<string>(20).fill(`/scores?${someAreas}`), { accept: "text/csv" }),
  },
  "csv-apps": {
    what: "20 streams of all applications as CSV",
    run: ({ url }) => get(url, Array<string>(20).fill("/apps"), { accept: "text/csv" }),
  },
  bodies: { what: "hostile bodies of a mebibyte, five of each", run: ({ url }) => sendHostile(url) },
  replay: { what: "a replay that writes nothing", run: (place) => command(place, ["replay", "--format", "csv"]) },
  apply: { what: "a replay that writes, and the lists after it", before: backToFormer, run: applyAndRead },
  policy: {
    what: "`policy diff`, and an instance that starts with another policy",
    async run(place) {
      await command(place, ["policy", "diff", policy]);
      const instance = await startService(place.databaseUrl, { POLICY: policy }, place.repository);
      await instance.stop();
    },
  },
  import: {
    what: "an import of as much as is there, in other areas",
    async before(place) {
      await command(place, ["export"], { output: exported });
      await pipeline(createReadStream(exported), split(inOtherArea), createWriteStream(renamed));
    },
    run: (place) => command(place, ["import"], { input: renamed }),
  },
  day: {
    what: "the roll-ups of a day written",
    before: ({ databaseUrl }) =>
      query(databaseUrl, "DELETE FROM roll_up_days WHERE day = current_date; UPDATE roll_ups_until SET day = day - 1"),
    run: ({ databaseUrl }) =>
      until(databaseUrl, "SELECT FROM roll_ups_until WHERE day = (now() AT TIME ZONE 'UTC')::date"),
  },
  digest: {
    what: "a digest of a week",
    settings: {
      DIGEST: "mon 00:00",
      CHAT_BOT_TOKEN: "bench",
      CHAT_API_URL: "http://127.0.0.1:9",
      CHAT_DEFAULT_CHANNEL: "#bench",
    },
    before: ({ databaseUrl }) => query(databaseUrl, "UPDATE digested_until SET due_at = now() - interval '14 days'"),
    run: ({ databaseUrl }) => until(databaseUrl, "SELECT FROM digested_until WHERE due_at > now() - interval '8 days'"),
  },
};

async function sendHostile(url: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  for (const [path, body] of Array<typeof hostileBodies>(5).fill(hostileBodies).flat()) {
    const answer = await fetch(url + path, { method: "POST", headers, body });
    if (answer.status !== 400) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

/** Records days of the past, and keeps what a replay changes. */
export async function fillHistory(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    `UPDATE scores SET changed_at = now() - interval '3 days', former_score = greatest(score - 5, 0),
       reported_at = reported_at - interval '1 hour';
     INSERT INTO score_changes (target_id, metric_id, at, former, score, scorer, cause)
     SELECT target_id, metric_id, changed_at, former_score, score, scorer, 'report' FROM scores;
     UPDATE roll_ups_until SET day = day - 1;
     CREATE TABLE bench_former AS SELECT target_id, metric_id, score, scorer FROM scores`,
  );
  await query(databaseUrl, "VACUUM ANALYZE");
  const service = await startService(databaseUrl);
  await until(databaseUrl, "SELECT FROM roll_up_days WHERE day = (now() AT TIME ZONE 'UTC')::date LIMIT 1");
  await service.stop();
  await query(
    databaseUrl,
    `INSERT INTO roll_up_days (target_id, day, weights, count, score, reported, fresh, waived, lowest)
     SELECT target_id, day - ago, weights, count, greatest(score - 5, 0), reported, fresh, waived, lowest
     FROM roll_up_days, generate_series(1, 30) AS ago`,
  );
  await query(databaseUrl, "VACUUM ANALYZE");
}

/** Gives all scores the values from before a replay. */
function backToFormer({ databaseUrl }: Place): Promise<unknown> {
  return query(
    databaseUrl,
    `DELETE FROM score_changes WHERE cause = 'rules';
     UPDATE scores SET score = former.score, scorer = former.scorer, changed_at = now() - interval '3 days'
     FROM bench_former AS former
     WHERE (former.target_id, former.metric_id) = (scores.target_id, scores.metric_id) AND former.scorer <> scores.scorer`,
  );
}

async function waiveAndRevoke({ url }: Place): Promise<void> {
  await get(url, lists);
  const waiver = { area: "area-1", kind: "not_applicable", scorecard: "security", reason: "a bench", owner: "bench" };
  const headers = { "content-type": "application/json" };
  const made = await fetch(`${url}/waivers`, { method: "POST", headers, body: JSON.stringify(waiver) });
  const { id } = (await made.json()) as { id: string };
  await sleep(keptMs);
  await get(url, lists);
  const revoked = await fetch(`${url}/waivers/${id}`, { method: "DELETE" });
  if (!made.ok || !revoked.ok) throw new Error(`waivers were answered with ${made.status} and ${revoked.status}`);
  await sleep(keptMs);
  await get(url, lists);
}

async function applyAndRead(place: Place): Promise<void> {
  await get(place.url, lists);
  await command(place, ["replay", "--apply", "--format", "csv"]);
  await sleep(keptMs);
  await get(place.url, lists);
}

/** Asks for all paths at once. */
async function get(url: string, paths: readonly string[], headers: Record<string, string> = {}): Promise<void> {
  const agent = new Agent();
  await Promise.all(paths.map((path) => ask(agent, url + path, headers)));
}

/** Runs a command of the service as it is run, beside it. */
async function command(
  { databaseUrl, repository }: Place,
  words: readonly string[],
  { input = "/dev/null", output = "/dev/null" } = {},
): Promise<void> {
  const main = join(repository ?? join(import.meta.dirname, "../../.."), "services/scoring/src/main.ts");
  const child = spawn(process.execPath, ["--conditions=@maturity/source", main, ...words], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: [openSync(input, "r"), openSync(output, "w"), "inherit"],
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}`);
}

/** A line of an export as that of an area that is not there. */
function inOtherArea(line: string): string {
  const { id, area, to_area, ...row } = JSON.parse(line);
  const other = (name: string | undefined) => name && `other ${name}`;
  return `${JSON.stringify({ ...row, id: id && randomUUID(), area: other(area), to_area: other(to_area) })}\n`;
}

async function until(databaseUrl: string, select: string): Promise<void> {
  while ((await query(databaseUrl, select)).rows.length === 0) await sleep(50);
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
