import { parseArgs } from "node:util";
import { application } from "@maturity/application";
import { createEngine } from "@maturity/core";
import { reliability } from "@maturity/reliability";
import { security } from "@maturity/security";
import { createCampaignReader } from "../src/campaigns/campaign-reader.ts";
import type { CampaignGoal } from "../src/model/campaign.ts";
import { unlimited } from "../src/model/grant.ts";
import { applyPolicy, noPolicy } from "../src/policy/rules.ts";
import { createRollUpReader } from "../src/rollups/roll-ups.ts";
import { insertCampaign, type StoredCampaign } from "../src/store/campaigns.ts";
import { openDatabase } from "../src/store/database.ts";
import { startPostgres, startService } from "./processes.ts";
import { fillStore } from "./sides.ts";
import { medianOf, type Row, table } from "./table.ts";

/**
 * `pnpm bench campaigns`: what campaigns over all applications add to a reading of the roll-ups, on a PostgreSQL with the
 * settings it ships with. Either side is read anew in turn.
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

const goals: readonly CampaignGoal[] = [
  { metric: "security.secret_scan", min: 100 },
  { scorecard: "reliability", min: 80 },
  { level: "silver" },
  { no_open_problems: ["critical", "high"] },
];

const postgres = await startPostgres([]);
await (await startService(postgres.url)).stop(); // which makes the tables
await fillStore(postgres.url, scores);
const engine = createEngine([security, reliability, application]);
const rules = { ...applyPolicy(engine.scorecards, noPolicy), applies: [] };
const database = openDatabase(postgres.url, 2);
const campaigns = await make();

const [alone, together]: [number[], number[]] = [[], []];
for (let round = 0; round <= rounds; round++) {
  const without = await measure([]);
  const withThem = await measure(campaigns);
  if (round === 0) continue; // the first one fills caches
  alone.push(without);
  together.push(withThem);
}
await database.close();
await postgres.stop();
const row: Row = {
  what: `a reading of ${scores.toLocaleString("en-US")} scores with ${count} campaigns`,
  ...{ unit: "ms", ours: together, peer: alone, peerName: "without campaigns", higherIsBetter: false },
};
console.log(table([row]));
console.log(`ratio ${(medianOf(together) / medianOf(alone)).toFixed(2)}`);
process.exit();

/** Makes campaigns over all applications, with goals of each kind. */
async function make(): Promise<StoredCampaign[]> {
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const made: StoredCampaign[] = [];
  for (let index = 0; index < count; index++) {
    const goal = goals[index % goals.length] as CampaignGoal;
    const fields = {
      name: `campaign ${index}`,
      why: { text: "to measure", url: null },
      owner: "bench",
      scope: {},
      goal,
    };
    const days = { starts: day(0), due: day(30) };
    const stored = await database.knex.transaction((trx) => insertCampaign(trx, { ...fields, ...days }, "bench"));
    if (stored) made.push(stored);
  }
  return made;
}

/** Reads all roll-ups anew, and the progress of these campaigns from them. Returns the time, in milliseconds. */
async function measure(read: readonly StoredCampaign[]): Promise<number> {
  const reader = createCampaignReader(database, createRollUpReader(database, rules), rules);
  const began = performance.now();
  const rollUps = await reader.rollUps(unlimited, {});
  await rollUps.areas();
  for (const campaign of read) {
    const { members } = await reader.progress(campaign, rollUps);
    if (members === 0) throw new Error("a campaign has no member");
  }
  return performance.now() - began;
}
