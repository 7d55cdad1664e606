import { type Severity, severities } from "@maturity/core";
import type { Knex } from "knex";
import type { Database } from "../store/database.ts";
import { insertAlert } from "./queue.ts";

/** An alert as versions before 0.2 stored it, in the tables of pg-boss. */
interface FormerJob {
  readonly name: "alerts" | "alerts-dead";
  readonly created_on: Date;
  readonly data: {
    readonly channel: string;
    readonly thread: string;
    readonly text: string;
    readonly problem: Readonly<Record<"area" | "team" | "app" | "env" | "problem_type", string>>;
    readonly reason?: string;
  };
}

/** Number of alerts moved in one transaction. */
const batch = 500;

/**
 * Moves alerts out of the queue of former versions: waiting ones, given-up ones, and those held by a process that is
 * gone. This runs again and again, because a copy of a former version may still be running and queue more.
 */
export async function adoptFormerQueue({ alerts }: Database): Promise<void> {
  const { rows } = await alerts.raw("SELECT to_regclass('pgboss.job') IS NOT NULL AS exists");
  if (!rows[0].exists) return;
  while ((await alerts.transaction(adoptBatch)) === batch);
}

async function adoptBatch(trx: Knex.Transaction): Promise<number> {
  const { rows } = await trx.raw(
    `
    DELETE FROM pgboss.job
    WHERE (name, id) IN (
      SELECT name, id
      FROM pgboss.job
      WHERE name = 'alerts-dead' OR name = 'alerts' AND (
        state::text IN ('created', 'retry')
        OR state::text = 'active' AND coalesce(heartbeat_on, started_on) < now() - interval '1 minute'
      )
      ORDER BY created_on
      LIMIT ?::int
      FOR UPDATE SKIP LOCKED
    )
    RETURNING name, created_on, data
    `,
    [batch],
  );
  const jobs: FormerJob[] = rows;
  for (const job of jobs.toSorted((one, other) => Number(one.created_on) - Number(other.created_on))) {
    await adopt(trx, job);
  }
  return jobs.length;
}

async function adopt(trx: Knex.Transaction, { name, created_on, data }: FormerJob): Promise<void> {
  const { channel, thread, text, problem } = data;
  const [, severity = "", findings] = /^\*(\w+)\*: (\d+) /.exec(text) ?? [];
  const rank = Math.max(0, severities.indexOf(severity as Severity));
  const alert = { ...problem, thread, channel, text, severity: rank, findings: Number(findings ?? 1) };
  if (name === "alerts") return insertAlert(trx, alert);
  await trx.raw(
    `
    INSERT INTO alerts
      (thread, channel, opening, severity, area, team, app, env, problem_type, text, findings, given_up_at, reason)
    VALUES
      (?::text, ?::text, false, ?::smallint, ?::text, ?::text, ?::text, ?::text, ?::text, ?::text, ?::int, ?::timestamptz, ?::text)
    `,
    [
      ...[thread, channel, rank, problem.area, problem.team, problem.app, problem.env, problem.problem_type],
      ...[text, alert.findings, created_on, data.reason ?? "no process finished sending it"],
    ],
  );
}
