import type { Knex } from "knex";
import * as scoresAndProblems from "./001-scores-and-problems.ts";
import * as tokens from "./002-tokens.ts";
import * as alerts from "./003-alerts.ts";

interface Migration {
  readonly name: string;
  up(knex: Knex): Promise<void>;
}

/** In the order they run. Never renumbered, never edited once released. */
export const migrations: readonly Migration[] = [
  { name: "001-scores-and-problems", ...scoresAndProblems },
  { name: "002-tokens", ...tokens },
  { name: "003-alerts", ...alerts },
];
