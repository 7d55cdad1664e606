import type { Knex } from "knex";
import * as scoresAndProblems from "./001-scores-and-problems.ts";
import * as tokens from "./002-tokens.ts";
import * as alerts from "./003-alerts.ts";
import * as oldestVersion from "./004-oldest-version.ts";
import * as history from "./005-history.ts";
import * as sessions from "./006-sessions.ts";
import * as weightsOfDays from "./007-weights-of-days.ts";
import * as audit from "./008-audit.ts";
import * as waivers from "./009-waivers.ts";
import * as names from "./010-names.ts";
import * as moves from "./011-moves.ts";
import * as policies from "./012-policies.ts";
import * as digests from "./013-digests.ts";
import * as waiversByScope from "./014-waivers-by-scope.ts";
import * as idempotencyKeys from "./015-idempotency-keys.ts";
import * as waiversByEnd from "./016-waivers-by-end.ts";
import * as databaseId from "./017-database-id.ts";

export interface Migration {
  /** Begins with a number of three digits. */
  readonly name: string;
  /** The last migration known to the oldest version that still works once this one has run. */
  readonly worksFrom: string;
  up(knex: Knex): Promise<void>;
}

/** All migrations in their order. They are never renumbered, and never edited once released. */
export const migrations: readonly Migration[] = [
  { name: "001-scores-and-problems", worksFrom: "001-scores-and-problems", ...scoresAndProblems },
  { name: "002-tokens", worksFrom: "001-scores-and-problems", ...tokens },
  { name: "003-alerts", worksFrom: "003-alerts", ...alerts },
  { name: "004-oldest-version", worksFrom: "004-oldest-version", ...oldestVersion },
  { name: "005-history", worksFrom: "004-oldest-version", ...history },
  { name: "006-sessions", worksFrom: "004-oldest-version", ...sessions },
  { name: "007-weights-of-days", worksFrom: "004-oldest-version", ...weightsOfDays },
  { name: "008-audit", worksFrom: "004-oldest-version", ...audit },
  { name: "009-waivers", worksFrom: "004-oldest-version", ...waivers },
  { name: "010-names", worksFrom: "004-oldest-version", ...names },
  { name: "011-moves", worksFrom: "004-oldest-version", ...moves },
  { name: "012-policies", worksFrom: "004-oldest-version", ...policies },
  { name: "013-digests", worksFrom: "004-oldest-version", ...digests },
  { name: "014-waivers-by-scope", worksFrom: "004-oldest-version", ...waiversByScope },
  { name: "015-idempotency-keys", worksFrom: "004-oldest-version", ...idempotencyKeys },
  { name: "016-waivers-by-end", worksFrom: "004-oldest-version", ...waiversByEnd },
  { name: "017-database-id", worksFrom: "004-oldest-version", ...databaseId },
];
