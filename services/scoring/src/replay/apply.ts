import type { Engine } from "@maturity/core";
import { hasScore, rescore } from "../model/rescore.ts";
import type { NameFilter } from "../model/target-filter.ts";
import { lastAudit, type RecordedAudit, recordAudit } from "../store/audit.ts";
import type { Database } from "../store/database.ts";
import { type ReplayedScore, type ScoreToReplay, scoresToReplay, writeReplayed } from "../store/replayed-scores.ts";
import type { ScoreChoice } from "./score-choice.ts";

/** The outcome of an applied replay. */
export interface Applied {
  /** The number of scores that were written. */
  readonly written: number;
  /** The number of scores that still differ, because other instances keep writing them. */
  readonly left: number;
}

/** The options of an applied replay. */
export interface ApplyTerms {
  readonly filter: NameFilter;
  readonly choice: ScoreChoice;
  /** Whether changes are recorded in `score_changes`. */
  readonly hasHistory: boolean;
  /** The actor in the audit. */
  readonly actor: string;
  /** The details of the entry in the audit: the scorers and the filter. */
  readonly details: Readonly<Record<string, unknown>>;
  /** An earlier replay without an end in the audit. This replay writes the rest, and its entry refers to that one. */
  readonly unended: RecordedAudit | undefined;
}

/** The next pass finds a score that a move put behind the position of the present pass. */
const maxPasses = 5;

/** The audit entry of a replay that began and has no end: it still runs, or was ended early. */
export async function unendedReplay({ background }: Database): Promise<RecordedAudit | undefined> {
  const last = await lastAudit(background, "replay.apply");
  return last?.details.phase === "begin" ? last : undefined;
}

/**
 * Scores stored results again, and writes each score that differs or was computed by another version. Each page is a
 * transaction of its own, so a replay that is ended early keeps its pages, and a second run writes the rest. A pass without
 * a difference ends the replay. The audit records the beginning, in the transaction of the first page, and the end. It also
 * records an end if an unended replay had left nothing.
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
      const count = await background.transaction(async (trx) => {
        const stored = await writeReplayed(trx, scores, hasHistory);
        if (written === 0 && stored > 0) await audit(trx, { phase: "begin" });
        return stored;
      });
      written += count;
      left += scores.length - count;
    }
    if (found === 0) break;
  }
  if (written > 0 || unended) {
    await audit(background, { phase: "end", written, left, ...(unended && { unended: unended.id }) });
  }
  return { written, left };
}

/** The new score of a row; empty if it is not chosen, is refused or does not change. */
function replayed(engine: Engine, choice: ScoreChoice, row: ScoreToReplay): ReplayedScore[] {
  const { scorecard, metric, raw } = row;
  if (!choice.has(scorecard, metric)) return [];
  const rescored = rescore(engine, scorecard, metric, raw);
  if (!hasScore(rescored) || (rescored.score === row.score && rescored.scorer === row.scorer)) return [];
  return [{ row, score: rescored.score, scorer: rescored.scorer }];
}
