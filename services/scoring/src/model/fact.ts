import type { Severity } from "@maturity/core";
import type { Knex } from "knex";

/** The types of facts that notifications are about. */
export const factTypes = [
  "problem.opened",
  "problem.changed",
  "problem.resolved",
  "score.dropped",
  "level.lost",
  "level.reached",
  "waiver.requested",
  "waiver.decided",
  "waiver.ending",
  "campaign.started",
  "campaign.due",
  "campaign.ended",
  "digest",
] as const;

/** With `test`, which no route names: it tries a destination. */
export type FactType = (typeof factTypes)[number] | "test";

/** Something that happened. How it reads is decided when it is sent. */
export interface Fact {
  readonly type: FactType;
  /** Groups what belongs together: a problem's opening, a waiver, a campaign, an application. Later facts reply to the first. */
  readonly subject: string;
  readonly area: string | null;
  readonly team: string | null;
  readonly app: string | null;
  readonly env: string | null;
  readonly severity: Severity | null;
  /** Ids, names and numbers. */
  readonly data: FactData;
}

/** As JSON holds it. */
export type FactData = { readonly [name: string]: unknown };

/** Stores facts, so that destinations get them. */
export interface FactStore {
  /**
   * Stores each fact for the destinations that the routes give it, in the transaction in which it happens. Facts of one
   * type and subject that go to one address become one message, with the last of them.
   */
  store(trx: Knex.Transaction, facts: readonly Fact[]): Promise<void>;
}
