import { Readable } from "node:stream";
import {
  type DemoWaiver,
  demoEngine,
  demoRules,
  demoWaivers,
  demoYear,
  nameActions,
  nameRows,
  problemRows,
  waiverActions,
} from "@maturity/demo";
import { raw, type Sql } from "sql-template-tag";
import { auditOf as campaignAuditOf } from "../campaigns/audit-of.ts";
import { OperatorError } from "../model/errors.ts";
import { readRulesInForce, recordRules } from "../policy/recorded.ts";
import { applyPolicy, noPolicy } from "../policy/rules.ts";
import { weightsOf } from "../rollups/weights.ts";
import { recordAudit } from "../store/audit.ts";
import type { StoredCampaign } from "../store/campaigns.ts";
import type { Database } from "../store/database.ts";
import { query } from "../store/sql.ts";
import { type Imported, importRows } from "../transfer/import.ts";
import { auditOf } from "../waivers/audit-of.ts";
import { actorOf } from "./actor.ts";
import { fillDemoCampaign, startDemoCampaign } from "./demo-campaign.ts";

/**
 * Fills an empty store with a made-up organisation: a year of results up to now, scored by the shipped scorecards. Apart
 * from the times the rows are always the same.
 *
 * @returns the number of stored rows of each table
 * @throws OperatorError if the store is not empty
 */
export async function fillWithDemo(database: Database, now: Date): Promise<Imported> {
  if (!(await isEmpty(database)))
    throw new OperatorError(
      "this store is not empty; the demo fills only an empty one, so name another database in DATABASE_URL",
    );
  const { scorecards } = demoEngine;
  const waivers = demoWaivers(now);
  const { days, rows } = demoYear(now, waivers);
  const weights = weightsOf(scorecards);
  const rollUps = days.flatMap(({ day, rollUps }) =>
    rollUps.map(({ area, team, app, env, count, score, reported, fresh, waived, lowest }) => ({
      ...{ table: "roll_up_days", area, team, app, env, day, weights },
      ...{ count, score, reported, fresh, waived, lowest },
    })),
  );
  const lines = [...rows, ...rollUps, ...problemRows(now), ...waivers, ...nameRows(now)];
  const text = lines.map((row) => JSON.stringify(row));
  const campaign = await startDemoCampaign(database.knex, now);
  await recordDemoActions(database, now, waivers, campaign);
  const imported = await importRows(database, Readable.from(text), {
    actor: actorOf(),
    scorecards,
    hasHistory: true,
    unregistered: "accept",
  });
  await fillDemoCampaign(database.knex, campaign.id, now);
  return imported;
}

/** Records what was done in the year at its time, unless a start recorded its rules before: entries stand in their order. */
async function recordDemoActions(
  database: Database,
  now: Date,
  waivers: readonly DemoWaiver[],
  campaign: StoredCampaign,
): Promise<void> {
  if (await readRulesInForce(database)) return;
  const actor = actorOf();
  const putBack = (table: Sql, column: Sql, since: Date) => query(database.knex)`
    UPDATE ${table} SET ${column} = ${since.toISOString()}::timestamptz WHERE id = (SELECT max(id) FROM ${table})
  `;
  const rules = demoRules(now).map(({ scorecards, since }) => ({
    since,
    async record() {
      await recordRules(database, applyPolicy(scorecards, noPolicy), { actor, file: undefined });
      await putBack(raw("policies"), raw("loaded_at"), since);
    },
  }));
  const actions = nameActions(now).map(({ since, ...entry }) => ({
    since,
    record: () => recordAudit(database.knex, { actor, ...entry }),
  }));
  const decisions = waiverActions(waivers).map(({ since, actor, verb, waiver }) => ({
    since,
    record: () => recordAudit(database.knex, auditOf(`waiver.${verb}`, actor, whole(waiver))),
  }));
  const start = {
    since: campaign.created_at,
    record: () => recordAudit(database.knex, campaignAuditOf("campaign.create", campaign.created_by, campaign)),
  };
  const all = [...rules, ...actions, ...decisions, start];
  for (const { since, record } of all.sort((a, b) => a.since.getTime() - b.since.getTime())) {
    await record();
    await putBack(raw("audit"), raw("at"), since);
  }
}

/** A waiver with null in what it leaves open. */
function whole({ team = null, app = null, env = null, scorecard = null, metric = null, ...waiver }: DemoWaiver) {
  const { problem_type = null, evidence = null, extends: before = null, expires_at = null, comment = null } = waiver;
  const open = { team, app, env, scorecard, metric, problem_type, evidence, extends: before, expires_at, comment };
  return { ...waiver, ...open };
}

/** Whether nothing was ever reported to this store, and nobody has decided anything in it. */
export async function isEmpty({ knex }: Database): Promise<boolean> {
  const { rows } = await knex.raw(`
    SELECT EXISTS (SELECT FROM applications) OR EXISTS (SELECT FROM roll_up_days) OR EXISTS (SELECT FROM former_groups)
      OR EXISTS (SELECT FROM waivers) AS used
  `);
  return !rows[0].used;
}
