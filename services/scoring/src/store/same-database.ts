import type { Knex } from "knex";
import type pg from "pg";
import { hasCode, ServiceError } from "../model/errors.ts";
import { answerOf } from "./health-check.ts";
import { positionOf } from "./replica-lag.ts";

/** Identifies a server and a database on it. */
interface Identity {
  /** Made with the schema; a copy of the database has the same. */
  readonly id: string;
  /** The oid of the database; a replica has the same. */
  readonly number: string;
  /** The system identifier of the server; a replica has the same. Null where a role may not ask for it. */
  readonly system: string | null;
  readonly is_replica: boolean;
  readonly started: string;
  /** The position that it has written or replayed; null on a service that hides it. */
  readonly position: string | null;
}

const identity = `
  SELECT id::text AS id, (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS number,
    pg_is_in_recovery() AS is_replica, extract(epoch FROM pg_postmaster_start_time())::text AS started,
    (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END)::text AS position
  FROM database_id
`;

type Ask = (sql: string) => Promise<pg.QueryResult>;

/** Checks where connections lead. */
export interface Proof {
  /**
   * Checks whether a new connection leads to the same database as the primary, or to a replica of it. While the primary
   * does not answer, its last answer counts.
   *
   * @throws ServiceError `store-unavailable` if the connection leads elsewhere, or if the primary has never answered
   */
  prove(connection: pg.Client): Promise<void>;
  /** Whether a proven connection may be used again. Once a replica is promoted, its connections need another proof. */
  holds(connection: pg.Client): Promise<boolean>;
}

/** Makes the proof for connections that must lead to the database of `primary`. */
export function createProof(primary: Knex): Proof {
  let known: Identity | undefined;
  const toReplica = new WeakSet<pg.Client>();

  async function prove(connection: pg.Client): Promise<void> {
    const found = await identify((sql) => connection.query(sql)).catch((cause: unknown) => {
      const lacksTable = hasCode(cause, "42P01");
      throw lacksTable ? refusal("has not replayed the newest change of the schema, or is another database") : cause;
    });
    // The primary answers after the replica, so that the replica cannot be ahead.
    const now = await answerOf(identify(async (sql) => primary.raw(sql)));
    known = now ?? known;
    const fault = known === undefined ? "cannot be identified until the primary answers" : faultOf(found, known);
    const isAhead = now !== undefined && !now.is_replica && found.is_replica && isBefore(now.position, found.position);
    const refused = fault ?? (isAhead ? "has replayed changes that this database never wrote" : undefined);
    if (refused !== undefined) throw refusal(refused);
    if (found.is_replica) toReplica.add(connection);
  }

  async function holds(connection: pg.Client): Promise<boolean> {
    if (!toReplica.has(connection)) return true;
    const { rows } = await connection.query("SELECT pg_is_in_recovery() AS is_replica");
    return rows[0].is_replica;
  }

  return { prove, holds };
}

function refusal(fault: string): ServiceError {
  return new ServiceError("store-unavailable", `the replica of the database ${fault}; writes go on, reads wait`);
}

async function identify(ask: Ask): Promise<Identity> {
  const { rows } = await ask(identity);
  const system = await ask("SELECT system_identifier::text AS system FROM pg_control_system()").then(
    ({ rows }) => rows[0].system,
    () => null,
  );
  return { ...rows[0], system };
}

function faultOf(found: Identity, primary: Identity): string | undefined {
  const isOther =
    found.id !== primary.id ||
    found.number !== primary.number ||
    (found.system !== null && primary.system !== null && found.system !== primary.system);
  if (isOther) return "is another database; DATABASE_READ_URL must name one of DATABASE_URL";
  const takesWrites = !found.is_replica && !primary.is_replica && found.started !== primary.started;
  return takesWrites ? "takes writes of its own; DATABASE_READ_URL must name one that follows DATABASE_URL" : undefined;
}

function isBefore(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && positionOf(one) < positionOf(other);
}
