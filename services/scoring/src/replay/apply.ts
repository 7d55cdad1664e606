import type { Engine } from "@maturity/core";
import { hasScore, rescore } from "../model/rescore.ts";
import type { TargetFilter } from "../model/target-filter.ts";
import { lastAudit, type RecordedAudit, recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { type ReplayedScore, type ScoreToReplay, scoresToReplay, writeReplayed } from "../store/replayed-scores.ts";
import type { ScoreChoice } from "./score-choice.ts";

/** What an applied replay did. */
export interface Applied {
  /** How many scores were written. */
  readonly written: number;
  /** How many still have another score or scorer: others keep writing them. */
  readonly left: number;
}

/** How a replay is applied. */
export interface ApplyTerms {
  readonly filter: TargetFilter;
  readonly choice: ScoreChoice;
  /** Are changes recorded in `score_changes`? */
  readonly hasHistory: boolean;
  /** Who does it, for the audit. */
  readonly actor: string;
  /** What was asked for, for the audit. */
  readonly details: Readonly<Record<string, unknown>>;
  /** A replay that was ended before it had read everything: this one does what it left. */
  readonly unended: RecordedAudit | undefined;
}

/** A name that moves behind the place that a pass has reached is found by the next one. */
const maxPasses = 5;

/** The beginning of the last replay, if the audit has no end of it: it still runs, or something ended it. */
export async function unendedReplay({ background }: Database): Promise<RecordedAudit | undefined> {
  const last = await lastAudit(background, "replay.apply");
  return last?.details.phase === "begin" ? last : undefined;
}

/**
 * Writes what the installed packages make of the stored results, wherever it is another score or the score of another
 * version. Each page is a transaction of its own, so what was written stays, whatever ends the replay. A pass that finds
 * nothing to write ends it, and so a second run does what the first one left. The audit has its beginning, in the
 * transaction of the first page, and of its end, also if nothing was left of a replay that had none.
 */
export async function applyReplay(
  { background }: Database,
  engine: Engine,
  { filter, choice, hasHistory, actor, details, unended }: ApplyTerms,
): Promise<Applied> {
  let written = 0;
  let left = 0;

  function audit(knex: typeof background, more: Readonly<Record<string, unknown>>): Promise<void> {
    return recordAudit(knex, { actor, action: "replay.apply", target: {}, details: { ...details, ...more } });
  }

  for (let pass = 0; pass < maxPasses; pass++) {
    left = 0;
    let found = 0;
    for await (const page of scoresToReplay(background, filter)) {
      const scores = page.flatMap((row) => replayed(engine, choice, row));
      if (scores.length === 0) continue;
      found += scores.length;
      const now = await background.transaction(async (trx) => {
        const count = await writeReplayed(trx, scores, hasHistory);
        if (written === 0 && count > 0) await audit(trx, { phase: "begin" });
        return count;
      });
      written += now;
      left += scores.length - now;
    }
    if (found === 0) break;
  }
  if (written > 0 || unended) {
    await audit(background, { phase: "end", written, left, ...(unended && { unended: unended.id }) });
  }
  return { written, left };
}

/** What is to be written of a row, if anything is. */
function replayed(engine: Engine, choice: ScoreChoice, row: ScoreToReplay): ReplayedScore[] {
  const { scorecard, metric, raw } = row;
  if (!choice.has(scorecard, metric)) return [];
  const made = rescore(engine, scorecard, metric, raw);
  if (!hasScore(made) || (made.score === row.score && made.scorer === row.scorer)) return [];
  return [{ row, score: made.score, scorer: made.scorer }];
}
