import { parseArgs } from "node:util";
import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";
import { metricIds } from "@maturity/core/wire";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { createCampaignReader } from "../src/campaigns/campaign-reader.ts";
import { recordCampaigns } from "../src/campaigns/record-progress.ts";
import type { CampaignGoal } from "../src/model/campaign.ts";
import { unlimited } from "../src/model/grant.ts";
import { applyPolicy, noPolicy } from "../src/policy/rules.ts";
import { createRollUpReader } from "../src/rollups/roll-ups.ts";
import { insertCampaign } from "../src/store/campaigns.ts";
import { openDatabase } from "../src/store/database.ts";
import { startPostgres, startService } from "./processes.ts";
import { fillStore } from "./sides.ts";
import { medianOf, type Row, table } from "./table.ts";

/**
 * `pnpm bench campaigns`: what recorded campaigns over all applications, each with a goal of its own, add to a reading of the
 * roll-ups, on a PostgreSQL with the settings it ships with. Either side is read anew in turn.
 */

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    scores: { type: "string", default: "300000" },
    rounds: { type: "string", default: "5" },
    campaigns: { type: "string", default: "50" },
  },
});
const [scores, rounds, count] = [Number(options.scores), Number(options.rounds), Number(options.campaigns)];

const postgres = await startPostgres([]);
await (await startService(postgres.url)).stop(); // which makes the tables
await fillStore(postgres.url, scores);
const engine = createEngine([security, reliability, application]);
const rules = { ...applyPolicy(engine.scorecards, noPolicy), applies: [] };
const database = openDatabase(postgres.url, 2);
await database.knex.raw(`
  INSERT INTO problems (target_id, problem_type, severity, count, details, opened_at)
  SELECT id, 'type ' || id % 7, (ARRAY['critical', 'high', 'medium', 'low', 'info'])[id % 5 + 1], 1, '[]', now()
  FROM targets WHERE id % 3 = 0
`);
await make();
await recordCampaigns({ database, rules, signal: new AbortController().signal });

const reader = createCampaignReader(
  database,
  { read: (filter) => createRollUpReader(database, rules).read(filter) },
  rules,
);
await measure(false);
const first = await measure(true);
const [alone, together]: [number[], number[]] = [[], []];
for (let round = 0; round < rounds; round++) {
  alone.push(await measure(false));
  together.push(await measure(true));
}
await database.close();
await postgres.stop();
const what = `a reading of ${scores.toLocaleString("en-US")} scores with ${count} campaigns`;
const beside = { unit: "ms", peer: alone, peerName: "without campaigns", higherIsBetter: false };
const rows: Row[] = [
  { ...beside, what, ours: together },
  { ...beside, what: "the first one after their recording", ours: [first], peer: [medianOf(alone)] },
];
console.log(table(rows));
console.log(`ratio ${(medianOf(together) / medianOf(alone)).toFixed(2)}`);
process.exit();

/** So many different goals of each kind, the kinds in turn. */
function goals(): readonly CampaignGoal[] {
  const severities = ["critical", "high", "medium", "low", "info"] as const;
  const found: CampaignGoal[] = (rules.levels ?? []).map(({ name }) => ({ level: name }));
  for (let step = 0; found.length < count; step++) {
    const min = 100 - step;
    for (const { name } of rules.scorecards.slice(step % 3, (step % 3) + 1)) found.push({ scorecard: name, min });
    for (const metric of metricIds(rules.scorecards).slice(step % 15, (step % 15) + 1)) found.push({ metric, min });
    const wanted = severities.filter((_, index) => (step + 1) & (1 << index));
    found.push({ no_open_problems: wanted, ...(step % 2 === 0 && { problem_type: `type ${step % 7}` }) });
  }
  return found.slice(0, count);
}

/** Makes campaigns over all applications. */
async function make(): Promise<void> {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  for (const [index, goal] of goals().entries()) {
    const why = { text: "to measure", url: null };
    const fields = { name: `campaign ${index}`, why, owner: "bench", scope: {}, goal, starts: day(0), due: day(30) };
    await database.knex.transaction((trx) => insertCampaign(trx, fields, { name: "bench", caller: "bench" }));
  }
}

/** Reads all roll-ups anew, and the progress of the campaigns from them. Returns the time, in milliseconds. */
async function measure(withCampaigns: boolean): Promise<number> {
  const began = performance.now();
  const rollUps = await reader.rollUps(unlimited, {});
  await rollUps.areas();
  const running = withCampaigns ? await reader.list(["running"]) : [];
  for (const campaign of running) {
    const { members } = await reader.progress(campaign, rollUps, running);
    if (members === 0 || campaign.recorded === null) throw new Error("a campaign has no member, or is not recorded");
  }
  if (withCampaigns && running.length !== count) throw new Error(`${running.length} campaigns run`);
  return performance.now() - began;
}
