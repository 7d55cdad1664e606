import { severities } from "@maturity/core/wire";
import type { Knex } from "knex";
import sql, { type Sql } from "sql-template-tag";
import { type AppName, appKey } from "../model/app-name.ts";
import type { Fact, FactStore } from "../model/fact.ts";
import { query } from "../store/sql.ts";
import { type NotifySettings, notRegistered, type Place, placesOf, type Registered } from "./routes.ts";

/** A fact for one place, to store. */
export interface NewNotification extends Place {
  readonly fact: Fact;
  readonly problem_id?: string;
  /** When it happened; now if absent. */
  readonly happened_at?: Date;
}

/** Ranks behind all severities. */
const noSeverity = severities.length;

/** Makes the store of facts. Without settings nothing is stored. */
export function createFactStore(settings: NotifySettings | undefined): FactStore {
  return {
    async store(trx, facts) {
      if (!settings || facts.length === 0) return;
      const registeredOf = await readRegistered(trx, settings, facts);
      await insertNotifications(
        trx,
        facts.flatMap((fact) => placesOf(settings, fact, registeredOf(fact)).map((place) => ({ ...place, fact }))),
      );
    },
  };
}

/** Reads what the registry says of the applications of facts, if a route or a label can depend on it. */
export async function readRegistered(
  knex: Knex,
  { asksRegistry }: NotifySettings,
  facts: readonly Fact[],
): Promise<(fact: Fact) => Registered> {
  const apps = asksRegistry ? facts.flatMap((fact) => (hasApp(fact) ? [fact] : [])) : [];
  if (apps.length === 0) return () => notRegistered;
  const [areas, teams, names] = [
    apps.map(({ area }) => area),
    apps.map(({ team }) => team),
    apps.map(({ app }) => app),
  ];
  const rows: (AppName & Registered)[] = await query(knex)`
    SELECT area, team, app, owner, labels->>'notify' AS notify FROM applications
    WHERE (area, team, app) IN (SELECT * FROM unnest(${areas}::text[], ${teams}::text[], ${names}::text[]))
      AND registered_at IS NOT NULL
  `;
  const byApp = new Map(rows.map((row) => [appKey(row), row]));
  return (fact) => (hasApp(fact) && byApp.get(appKey(fact))) || notRegistered;
}

function hasApp(fact: Fact): fact is Fact & AppName {
  return fact.area !== null && fact.team !== null && fact.app !== null;
}

/**
 * The end of a statement that stores the notifications in `added`. The first message of a thread opens it; later messages
 * are replies. A new message is merged into a waiting one of its kind, with the later fact.
 */
export const insertAdded: Sql = sql`
  INSERT INTO notifications AS waiting
    (id, destination, address, subject, type, opening, severity, problem_id, application_id, fact, reports, version,
     queued_at, happened_at)
  SELECT
    coalesce(id, gen_random_uuid()), destination, address, subject, type,
    coalesce(opening, type <> 'problem.resolved' AND message IS NULL AND NOT EXISTS (
      SELECT FROM notifications AS first
      WHERE (first.subject, first.destination, first.address) = (added.subject, added.destination, added.address)
        AND first.opening AND first.dead_since IS NULL AND (added.problem_id IS NOT NULL OR first.type <> added.type)
    )),
    severity, added.problem_id, application_id, fact, reports, coalesce(version, 1), queued_at,
    coalesce(happened_at, now())
  FROM added LEFT JOIN notification_threads USING (subject, destination, address)
  ON CONFLICT (subject, destination, address, opening, (CASE WHEN problem_id IS NULL THEN type ELSE '' END))
    WHERE dead_since IS NULL
  DO UPDATE SET
    (type, severity, fact) = (
      SELECT later.type, later.severity, later.fact
      FROM (VALUES
        (excluded.type, excluded.severity, excluded.fact, excluded.happened_at >= waiting.happened_at),
        (waiting.type, waiting.severity, waiting.fact, excluded.happened_at < waiting.happened_at)
      ) AS later (type, severity, fact, is_last)
      WHERE is_last
    ),
    queued_at = CASE WHEN waiting.problem_id IS NULL THEN greatest(excluded.queued_at, waiting.queued_at)
      ELSE waiting.queued_at END,
    happened_at = greatest(excluded.happened_at, waiting.happened_at),
    reports = waiting.reports + excluded.reports,
    version = waiting.version + 1
  RETURNING id
`;

/**
 * Stores notifications in their order, and makes their threads unless they exist. Those of one type and subject for one
 * place become one, as if they had met while they waited. Facts that share their data are one event, announced to several
 * applications.
 */
export async function insertNotifications(trx: Knex, added: readonly NewNotification[]): Promise<void> {
  if (added.length === 0) return;
  const rows = new Map<string, NewNotification & { readonly reports: number; readonly [column: string]: unknown }>();
  for (const [position, notification] of added.entries()) {
    const { destination, address, fact } = notification;
    const { type, subject, severity, data } = fact;
    const key = JSON.stringify([subject, destination, address, type]);
    const { reports = 0, fact: former } = rows.get(key) ?? {};
    rows.set(key, {
      ...{ ...notification, subject, type, position },
      reports: former?.data === data ? reports : reports + 1,
      severity: severity === null ? noSeverity : severities.indexOf(severity),
    });
  }
  // In one order in each transaction, so that no deadlock occurs.
  const ordered = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  await query(trx)`
    WITH added AS (
      SELECT id, destination, address, subject, type, opening, severity, problem_id, fact, reports, version,
        now() + (sent->>'position')::int * interval '1 microsecond' AS queued_at, happened_at, (
          SELECT applications.id FROM applications
          WHERE (area, team, app) = (fact->>'area', fact->>'team', fact->>'app')
        ) AS application_id
      FROM jsonb_array_elements(${JSON.stringify(ordered)}::jsonb) AS sent,
        jsonb_populate_record(NULL::notifications, sent)
    ),
    begun AS (
      INSERT INTO notification_threads (subject, destination, address, problem_id)
      SELECT DISTINCT subject, destination, address, problem_id FROM added
      ON CONFLICT DO NOTHING
    )
    ${insertAdded}
  `;
}
